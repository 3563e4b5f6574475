/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { LIMITS } from '../../core/limits.ts';
import { Modal } from '../ui/modal.tsx';

export interface DatasetPickerProps {
  datasetId: string;
  /** Undefined when there is no choice: a token is for one dataset. */
  datasets: string[] | undefined;
  onChoose: (datasetId: string) => void;
}

const NEW = '';

/** Chooses the dataset, or a name for one that the first upload creates. */
export function DatasetPicker({ datasetId, datasets, onChoose }: DatasetPickerProps) {
  const [isNaming, setNaming] = useState(false);
  if (!datasets) return <p class="dataset">{datasetId}</p>;
  const names = datasets.includes(datasetId) ? datasets : [datasetId, ...datasets];
  return (
    <>
      <label class="dataset">
        <span class="hidden">Dataset</span>
        <select
          class="dataset-names"
          value={datasetId}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            if (value === NEW) {
              currentTarget.value = datasetId;
              setNaming(true);
            } else onChoose(value);
          }}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value={NEW}>New dataset…</option>
        </select>
      </label>
      {isNaming && (
        <Modal title="New dataset" onClose={() => setNaming(false)}>
          <form
            class="naming"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name')).trim();
              if (!name) return;
              setNaming(false);
              onChoose(name);
            }}
          >
            <label for="dataset-name">Name</label>
            <input
              id="dataset-name"
              name="name"
              required
              // biome-ignore lint/a11y/noAutofocus: the dialog is there for this field
              autoFocus
              autoComplete="off"
              maxLength={LIMITS.datasetIdCharacters}
            />
            <button type="submit" class="button primary">
              Use it
            </button>
          </form>
          <p class="quiet">The first upload creates it.</p>
        </Modal>
      )}
    </>
  );
}
