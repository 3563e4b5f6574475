import type { Credential } from '../../client/credentials.ts';
import type { Filter, FilterGroup } from '../../client/types.ts';

/** A statement of an answer, `text.slice(start, end)`, and the passage that it cites. */
export interface ChatCitation {
  start: number;
  end: number;
  /** Whether the words of the passage support the statement. */
  supported: boolean;
  fileId: string;
  originalName: string;
  passage: string;
}

/** The detail of the event `answer`. */
export interface ChatAnswer {
  question: string;
  text: string;
  citations: ChatCitation[];
}

/** The detail of the event `error`. */
export interface ChatError {
  /**
   * An `ErrorCode` of the gateway, or a code of `FilequeryError`, such as `NETWORK`; `UNKNOWN` when the
   * function for the credential threw something else.
   */
  code: string;
  /** As the reader is told. */
  message: string;
}

/** Instead of the `ErrorEvent` that elements have otherwise. */
export interface FilequeryChatEventMap extends Omit<HTMLElementEventMap, 'error'> {
  answer: CustomEvent<ChatAnswer>;
  error: CustomEvent<ChatError>;
}

/** The element `<filequery-chat>`. Its other settings are attributes. */
export interface FilequeryChatElement extends HTMLElement {
  /**
   * A frontend token, or a function that fetches one, and is called again when the token has expired; used
   * instead of the attribute `token`.
   */
  credential: Credential | undefined;
  /** The filters of every question, all of the list or the group, in the form of REST. */
  filters: Filter[] | FilterGroup;

  addEventListener<Type extends keyof FilequeryChatEventMap>(
    type: Type,
    listener: (this: FilequeryChatElement, event: FilequeryChatEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof FilequeryChatEventMap>(
    type: Type,
    listener: (this: FilequeryChatElement, event: FilequeryChatEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'filequery-chat': FilequeryChatElement;
  }
}
