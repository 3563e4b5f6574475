/* Compares codes with a question in WebAssembly, which has an instruction that counts bits: six times as fast as JavaScript. */

/** A code as PostgreSQL sends it: the key of its chunk in 8 bytes, the number of bits in 4, the bits. */
export const RECORD = { bytes: 204, bits: 12 };

/** When all bits differ. */
export const MOST_DISTANCE = 3 * 8 * (RECORD.bytes - RECORD.bits);

/** Records that lie together. */
export const SEGMENT_RECORDS = 1285;

const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = 4;
const CODE_BYTES = RECORD.bytes - RECORD.bits;
const WORDS = CODE_BYTES / 8;

/** Where a question and its distances lie, in the first page. */
const QUESTION_AT = 0;
const DISTANCES_AT = 1024;

/** The memory of all codes, in segments that are lent and given back, and what compares them. */
export function createCodeKernel() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(assemble());
  const { compare } = new WebAssembly.Instance(module, { host: { memory } }).exports as {
    compare: (records: number, count: number) => void;
  };
  const free: number[] = [];

  return {
    /** Lends a segment: its address. */
    lend: (): number => free.pop() ?? memory.grow(SEGMENT_PAGES) * PAGE_BYTES,

    giveBack(segment: number): void {
      free.push(segment);
    },

    write(bytes: Uint8Array, address: number): void {
      new Uint8Array(memory.buffer).set(bytes, address);
    },

    keyAt: (address: number): bigint => new DataView(memory.buffer).getBigInt64(address),

    /**
     * How far each record of a segment is from a question, up to `MOST_DISTANCE`. The next call overwrites it.
     *
     * @param question two codes: the distance is twice the bits that differ from the first one, and
     * those that differ from the second
     */
    distances(segment: number, count: number, question: Uint8Array): Uint16Array {
      new Uint8Array(memory.buffer).set(question, QUESTION_AT);
      compare(segment, count);
      return new Uint16Array(memory.buffer, DISTANCES_AT, count);
    },
  };
}

export type CodeKernel = ReturnType<typeof createCodeKernel>;

const I32 = { type: 0x7f, const: 0x41, add: 0x6a, sub: 0x6b, shl: 0x74, store16: 0x3b };
const I64 = { type: 0x7e, load: 0x29, add: 0x7c, xor: 0x85, popcnt: 0x7b, toI32: 0xa7 };
const [GET, SET, TEE] = [0x20, 0x21, 0x22];
const [LOOP, REPEAT_IF, END, NOTHING] = [0x03, 0x0d, 0x0b, 0x40];

/** The module of `compare(record, count)`, one instruction after the other (https://webassembly.github.io/spec/core/binary). */
function assemble(): Uint8Array<ArrayBuffer> {
  const [record, count, target, word, first, second] = [0, 1, 2, 3, 4, 5];
  const questionWord = (code: number, at: number) => 6 + code * WORDS + at;
  const load = (base: number[], offset: number) => [...base, I64.load, 0, ...unsigned(offset)];
  const words = Array.from({ length: WORDS }, (_, at) => at);

  const readQuestion = [0, 1].flatMap((code) =>
    words.flatMap((at) => [
      ...load([I32.const, 0], QUESTION_AT + code * CODE_BYTES + at * 8),
      ...[SET, questionWord(code, at)],
    ]),
  );
  const countDifferent = (code: number, at: number, sum: number) => [
    ...[GET, word, GET, questionWord(code, at), I64.xor, I64.popcnt],
    ...(at === 0 ? [] : [GET, sum, I64.add]),
    ...[SET, sum],
  ];
  const compareRecord = words.flatMap((at) => [
    ...load([GET, record], RECORD.bits + at * 8),
    ...[SET, word],
    ...countDifferent(0, at, first),
    ...countDifferent(1, at, second),
  ]);
  const advance = (local: number, by: number) => [
    ...[GET, local, I32.const, ...signed(by), I32.add, SET, local],
  ];
  const body = [
    ...readQuestion,
    ...[I32.const, ...signed(DISTANCES_AT), SET, target],
    ...[LOOP, NOTHING],
    ...compareRecord,
    ...[GET, target],
    ...[GET, first, I64.toI32, I32.const, 1, I32.shl, GET, second, I64.toI32, I32.add],
    ...[I32.store16, 0, 0],
    ...advance(record, RECORD.bytes),
    ...advance(target, 2),
    ...[GET, count, I32.const, 1, I32.sub, TEE, count, REPEAT_IF, 0],
    ...[END, END],
  ];
  const locals = [2, 1, I32.type, 3 + 2 * WORDS, I64.type];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, I32.type, I32.type, 0]),
    ...section(2, [1, ...name('host'), ...name('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('compare'), 0, 0]),
    ...section(10, [1, ...sized([...locals, ...body])]),
  );
}

const section = (id: number, content: number[]) => [id, ...sized(content)];
const sized = (content: number[]) => [...unsigned(content.length), ...content];
const name = (text: string) => sized([...Buffer.from(text)]);

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
