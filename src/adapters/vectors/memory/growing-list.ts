/**
 * A growing list of numbers in a typed array. It has no accessors: V8 would keep the objects that an object
 * with accessors references until a major garbage collection, and each search creates some of these.
 */
export function createGrowingList<
  List extends Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
>(Type: new (buffer: ArrayBuffer, at?: number, length?: number) => List) {
  let room = new ArrayBuffer(256);
  let list = new Type(room);
  let length = 0;

  return {
    push(number: List[number]): void {
      if (length === list.length) {
        room = room.transfer(2 * room.byteLength);
        list = new Type(room);
      }
      list[length++] = number;
    },

    at: (index: number): List[number] => list[index] as List[number],

    /** All numbers so far. Numbers added later are not included. */
    all: (): List => new Type(room, 0, length),

    bytes: (): number => room.byteLength,
  };
}
