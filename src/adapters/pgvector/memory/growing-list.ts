/** Whole numbers below 2³², as many as come. */
export function createGrowingList() {
  let numbers = new Uint32Array(64);
  let length = 0;

  return {
    push(number: number): void {
      if (length === numbers.length) {
        const longer = new Uint32Array(2 * length);
        longer.set(numbers);
        numbers = longer;
      }
      numbers[length++] = number;
    },

    /** All of them; a number that is added later is not in it. */
    all: (): Uint32Array => numbers.subarray(0, length),

    get bytes() {
      return numbers.byteLength;
    },
  };
}
