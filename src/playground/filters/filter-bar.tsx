/** @jsxImportSource preact */
import type { FilterValue } from '../../client/types.ts';
import { Icon } from '../ui/icon.tsx';
import { type Choice, type Choices, type Facet, filtersOf } from './facets.ts';

interface FilterBarProps {
  facets: Facet[];
  choices: Choices;
  /** The name of a file that was chosen. */
  fileName?: string | undefined;
  onChange: (choices: Choices) => void;
}

/** Selects the files for a question by metadata. */
export function FilterBar({ facets, choices, fileName, onChange }: FilterBarProps) {
  const active = filtersOf(choices).length;
  if (facets.length === 0 && active === 0) return null;
  const choose = (key: string, choice: Choice) => onChange({ ...choices, [key]: choice });
  return (
    <details class="filters">
      <summary>
        <Icon name="filter" />
        <span>{active === 0 ? 'All files' : `${active} filter${active === 1 ? '' : 's'}`}</span>
        {active > 0 && <span class="quiet">{describe(choices, facets, fileName)}</span>}
      </summary>
      <div class="filter-fields">
        {facets.map((facet) => (
          <fieldset key={facet.key}>
            <legend>{facet.key === 'mimeType' ? 'type' : facet.key}</legend>
            <Field
              facet={facet}
              // A field may be called `constructor`.
              choice={Object.hasOwn(choices, facet.key) ? choices[facet.key] : undefined}
              onChange={(choice) => choose(facet.key, choice)}
            />
          </fieldset>
        ))}
        {active > 0 && (
          <button type="button" class="button small" onClick={() => onChange({})}>
            Clear filters
          </button>
        )}
      </div>
    </details>
  );
}

function describe(choices: Choices, facets: Facet[], fileName: string | undefined): string {
  return Object.entries(choices)
    .flatMap(([key, choice]) => {
      if (key === 'fileId') return fileName ?? 'one file';
      if ('values' in choice) {
        const known = facets.find((facet) => facet.key === key)?.values ?? [];
        return choice.values.map(
          (value) => known.find((each) => each.value === value)?.label ?? String(value),
        );
      }
      const { gte, lte } = choice;
      return gte === undefined && lte === undefined ? [] : `${key} ${gte ?? ''}–${lte ?? ''}`;
    })
    .join(', ');
}

interface FieldProps {
  facet: Facet;
  choice: Choice | undefined;
  onChange: (choice: Choice) => void;
}

function Field({ facet, choice, onChange }: FieldProps) {
  if (facet.isRange) return <RangeField facet={facet} choice={choice} onChange={onChange} />;
  const chosen = choice && 'values' in choice ? choice.values : [];
  const toggle = (value: FilterValue) =>
    onChange({
      values: chosen.includes(value)
        ? chosen.filter((other) => other !== value)
        : [...chosen, value],
    });
  return (
    <div class="chips">
      {facet.values.map(({ value, count, label }) => (
        <label key={`${typeof value} ${value}`} class="chip">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          {label} <span class="quiet">{count}</span>
        </label>
      ))}
    </div>
  );
}

function RangeField({ facet, choice, onChange }: FieldProps) {
  const range = choice && !('values' in choice) ? choice : {};
  const numbers = facet.values.map(({ value }) => Number(value));
  const bound = (name: 'gte' | 'lte', label: string, extreme: number) => (
    <label>
      {label}{' '}
      <input
        type="number"
        step="any"
        placeholder={String(extreme)}
        value={range[name] ?? ''}
        onInput={({ currentTarget: { value } }) =>
          onChange({ ...range, [name]: value === '' ? undefined : Number(value) })
        }
      />
    </label>
  );
  return (
    <div class="range">
      {bound('gte', 'from', Math.min(...numbers))}
      {bound('lte', 'to', Math.max(...numbers))}
    </div>
  );
}
