import { type CellObject, SSF } from '@e965/xlsx';

/** The parts of a number format that are literals, or specify locale and color. */
const LITERALS = /"[^"]*"|\\.|\[[^\]]*\]/g;

/** A number without a format. Excel displays twelve digits as `4.00638E+12`, such as those of an EAN. */
const PLAIN = /^(?:general|@)$/i;

/**
 * The value of a cell as it is displayed, except for dates, whose format may depend on the locale:
 * they are `2031-02-14`, followed by `14:30` if the time is displayed as well; and for long numbers
 * without a format, which keep their digits.
 */
export function shownValue(cell: CellObject, date1904: boolean): string {
  const { t: type, v: value, w: shown, z: format } = cell;
  if (type === 'n' && typeof value === 'number' && typeof format === 'string') {
    if (Number.isInteger(value) && PLAIN.test(format)) return String(value);
    const date = isoDate(value, format, date1904);
    if (date) return date;
    return shown ?? formatted(value, format, date1904);
  }
  return shown ?? String(value ?? '');
}

/** `undefined` if the format does not display year, month and day. */
function isoDate(value: number, format: string, date1904: boolean): string | undefined {
  const [positive = ''] = format.replace(LITERALS, '').toLowerCase().split(';');
  if (!/y/.test(positive) || !/m/.test(positive) || !/d/.test(positive)) return undefined;
  const date = SSF.parse_date_code(value, { date1904 });
  if (!date) return undefined;
  const day = [String(date.y).padStart(4, '0'), twoDigits(date.m), twoDigits(date.d)].join('-');
  if (!/h/.test(positive)) return day;
  const time = [date.H, date.M, ...(/s/.test(positive) ? [Math.floor(date.S)] : [])];
  return `${day} ${time.map(twoDigits).join(':')}`;
}

function formatted(value: number, format: string, date1904: boolean): string {
  try {
    return SSF.format(format, value, { date1904 });
  } catch {
    // The format is invalid.
    return String(value);
  }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
