const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** What a client's bytes amount to: a batch to run, a byte to answer at once, or the end of the talk. */
export type Frontend = { batch: Uint8Array } | { reply: 'N' } | { end: true };

/**
 * Cuts one client's byte stream into batches that end where PostgreSQL answers `ReadyForQuery`
 * (after Sync or a simple Query), so that a Parse/Bind/Execute of one client is never interleaved
 * with that of another in the one session underneath.
 *
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function createBatchReader(): (data: Buffer) => Frontend[] {
  let started = false;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let needed = 0;
  let batch: Buffer[] = [];

  return (data) => {
    pending.push(data);
    pendingBytes += data.length;
    if (pendingBytes < needed) return [];
    const bytes = pending.length === 1 ? data : Buffer.concat(pending, pendingBytes);
    const out: Frontend[] = [];
    let at = 0;
    for (;;) {
      const header = started ? 1 : 0;
      needed = header + 4;
      if (bytes.length - at < needed) break;
      needed = header + bytes.readUInt32BE(at + header);
      if (bytes.length - at < needed) break;
      const message = bytes.subarray(at, at + needed);
      at += needed;
      if (started) acceptMessage(message, out);
      else acceptStartup(message, out);
    }
    pending = at < bytes.length ? [bytes.subarray(at)] : [];
    pendingBytes = bytes.length - at;
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
