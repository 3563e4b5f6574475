import { Presets, SingleBar } from 'cli-progress';
import { inBytes } from './sizes.ts';

/** How much of a transfer is done. */
export interface Transferred {
  files: number;
  bytes: number;
}

export interface TransferProgress extends Disposable {
  show(done: Transferred): void;
  /** Prints a line above the progress. */
  print(line: string): void;
}

const LINE_INTERVAL_MS = 5_000;

/**
 * Shows how far a transfer is, in bytes and files, with the time left: as a bar if standard error is
 * a terminal, else as a line every five seconds.
 *
 * @param write writes text unchanged to standard error
 */
export function showTransfer(total: Transferred, write: (text: string) => void): TransferProgress {
  return process.stderr.isTTY ? showBar(total, write) : showLines(total, write);
}

function showBar(total: Transferred, write: (text: string) => void): TransferProgress {
  const bar = new SingleBar(
    {
      format: '{bar} {value} of {total}, {files} of {allFiles} files, {eta_formatted} left',
      stream: process.stderr,
      formatValue: (value, _, type) =>
        type === 'value' || type === 'total' ? inBytes(value) : String(value),
    },
    Presets.shades_classic,
  );
  bar.start(total.bytes, 0, { files: 0, allFiles: total.files });
  return {
    show: ({ files, bytes }) => bar.update(bytes, { files }),
    // The bar is drawn again in the line below.
    print: (line) => write(`\r\x1b[K${line}\n`),
    [Symbol.dispose]: () => bar.stop(),
  };
}

function showLines(total: Transferred, write: (text: string) => void): TransferProgress {
  let done: Transferred = { files: 0, bytes: 0 };
  const begun = performance.now();
  const timer = setInterval(() => {
    const share = done.bytes / total.bytes;
    const left = ((performance.now() - begun) * (1 - share)) / share / 1000;
    const time = share > 0 ? `, ${Math.ceil(left)} s left` : '';
    const bytes = `${inBytes(done.bytes)} of ${inBytes(total.bytes)}`;
    write(`${bytes}, ${done.files} of ${total.files} files${time}\n`);
  }, LINE_INTERVAL_MS);
  return {
    show: (now) => {
      done = now;
    },
    print: (line) => write(`${line}\n`),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
