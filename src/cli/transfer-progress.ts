import { Presets, SingleBar } from 'cli-progress';
import { inBytes, inTime } from './sizes.ts';

/** How much of a transfer is done. */
export interface Transferred {
  files: number;
  bytes: number;
  /** Bytes that have been sent of files that are not done yet: the gateway still reads them. */
  ahead?: number;
}

export interface TransferProgress extends Disposable {
  show(done: Transferred): void;
  /** Prints a line above the progress. */
  print(line: string): void;
}

const LINE_INTERVAL_MS = 5_000;
/** The time left is not guessed from less. */
const KNOWN_SHARE = 0.05;

/**
 * Shows the progress of a transfer, in bytes and files, with the remaining time: as a bar if standard error is
 * a terminal, else as a line every five seconds.
 *
 * @param write writes text unchanged to standard error
 */
export function showTransfer(total: Transferred, write: (text: string) => void): TransferProgress {
  return process.stderr.isTTY ? showBar(total, write) : showLines(total, write);
}

function showBar(total: Transferred, write: (text: string) => void): TransferProgress {
  const format = { format: '{bar} {state}', stream: process.stderr };
  const bar = new SingleBar(format, Presets.shades_classic);
  const begun = performance.now();
  const stateOf = (done: Transferred) => ({ state: describeState(done, total, begun) });
  bar.start(total.bytes, 0, stateOf(NOTHING));
  return {
    show: (done) => bar.update(done.bytes, stateOf(done)),
    // The bar is drawn again in the line below.
    print: (line) => write(`\r\x1b[K${line}\n`),
    [Symbol.dispose]: () => bar.stop(),
  };
}

function showLines(total: Transferred, write: (text: string) => void): TransferProgress {
  let done = NOTHING;
  const begun = performance.now();
  const timer = setInterval(
    () => write(`${describeState(done, total, begun)}\n`),
    LINE_INTERVAL_MS,
  );
  return {
    show: (now) => {
      done = now;
    },
    print: (line) => write(`${line}\n`),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const NOTHING: Transferred = { files: 0, bytes: 0 };

/** @param begun as of `performance.now()` */
function describeState(
  { files, bytes, ahead = 0 }: Transferred,
  total: Transferred,
  begun: number,
): string {
  const left = ((performance.now() - begun) * (total.bytes - bytes)) / bytes;
  return [
    `${inBytes(bytes)} of ${inBytes(total.bytes)}`,
    `${files} of ${total.files} files`,
    ...(ahead > 0 ? [`${inBytes(Math.round(ahead))} more sent`] : []),
    ...(bytes > KNOWN_SHARE * total.bytes ? [`${inTime(left)} left`] : []),
  ].join(', ');
}
