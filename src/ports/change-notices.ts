/** Notifies of changes that any gateway on the database commits. */
export interface ChangeNotices {
  /**
   * Calls back after each change of the files or the ingestions of a customer, and sometimes without one:
   * after a gap in which changes may have been missed, every callback is called. Callbacks read what has
   * changed.
   *
   * @returns a function that ends it
   */
  subscribe(customerKey: number, onNotice: () => void): () => void;
}
