/** Reports events to the operator's own service. */
export interface Webhook {
  /**
   * Sends one event.
   *
   * @param id the same for every attempt, so that the receiver can ignore repetitions
   * @throws Error when it was not received
   */
  send(id: string, event: WebhookEvent): Promise<void>;
}

/** An event. It contains only ids, and no user text except for ids that users chose. */
export interface WebhookEvent {
  type: 'ingestion.completed' | 'ingestion.failed';
  /** ISO 8601, when it happened. */
  timestamp: string;
  data: { ingestionId: string; customerId: string; datasetId: string; fileIds: string[] };
}
