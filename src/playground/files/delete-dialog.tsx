/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { type Problem, problemOf } from '../api/problem.ts';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';

interface DeleteDialogProps {
  name: string;
  remove: () => Promise<void>;
  onClose: () => void;
}

/** Asks before a file is deleted. */
export function DeleteDialog({ name, remove, onClose }: DeleteDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const confirm = async () => {
    setBusy(true);
    try {
      await remove();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal title="Delete the file?" onClose={onClose}>
      <p>
        <strong class="file-name">{name}</strong>: its record, its stored copy and its chunks. This
        cannot be undone.
      </p>
      {problem && <Notice problem={problem} />}
      <p class="actions">
        <button type="button" class="button danger" disabled={isBusy} onClick={confirm}>
          {isBusy ? 'Deleting…' : 'Delete'}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Modal>
  );
}
