const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** Input of a client: a batch to run, a byte to reply immediately, or the end of the session. */
export type Frontend = { batch: Uint8Array } | { reply: 'N' } | { end: true };

/**
 * Divides the byte stream of a client into batches that end with Sync or a simple Query, where
 * PostgreSQL replies `ReadyForQuery`. All clients share one session: in whole batches, the
 * Parse, Bind and Execute messages of one client are never interleaved with those of another.
 *
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function createBatchReader(): (data: Buffer) => Frontend[] {
  let started = false;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  /** Bytes needed to read the next message, or its length. */
  let needed = 0;
  let batch: Buffer[] = [];

  return (data) => {
    pending.push(data);
    pendingBytes += data.length;
    if (pendingBytes < needed) return [];
    const bytes = pending.length === 1 ? data : Buffer.concat(pending, pendingBytes);
    const out: Frontend[] = [];
    let offset = 0;
    for (;;) {
      const header = started ? 1 : 0;
      needed = header + 4;
      if (bytes.length - offset < needed) break;
      needed = header + bytes.readUInt32BE(offset + header);
      if (bytes.length - offset < needed) break;
      const message = bytes.subarray(offset, offset + needed);
      offset += needed;
      if (started) acceptMessage(message, out);
      else acceptStartup(message, out);
    }
    pending = offset < bytes.length ? [bytes.subarray(offset)] : [];
    pendingBytes = bytes.length - offset;
    return out;
  };

  function acceptStartup(message: Buffer, out: Frontend[]): void {
    const code = message.length >= 8 ? message.readUInt32BE(4) : 0;
    if (code === SSL_REQUEST || code === GSS_REQUEST) out.push({ reply: 'N' });
    else if (code === CANCEL_REQUEST) out.push({ end: true });
    else {
      started = true;
      out.push({ batch: message });
    }
  }

  function acceptMessage(message: Buffer, out: Frontend[]): void {
    const type = message[0];
    if (type === TERMINATE) {
      out.push({ end: true });
      return;
    }
    batch.push(message);
    if (type !== SYNC && type !== QUERY) return;
    out.push({ batch: batch.length === 1 ? message : Buffer.concat(batch) });
    batch = [];
  }
}
