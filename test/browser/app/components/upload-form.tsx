import { type ChangeEvent, useState } from 'react';
import { FollowUploadDocument } from '../../../generated/frontend.ts';
import { BROKEN_OFF, type Problem } from '../problem.ts';
import { Notice } from './notice.tsx';
import type { PanelProps } from './panel-props.ts';

/** What an upload is at. */
interface Progress {
  phase: 'Sending' | 'Reading';
  /** From 0 to 1. */
  part: number;
}

/** Sends the files that a user chooses, and follows them until they can be searched. */
export function UploadForm({ layer, signIn, onSpent }: PanelProps) {
  const sendFiles = layer.useSendFiles();
  const subscribe = layer.useSubscribe();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<Problem>();

  async function upload({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const files = [...(target.files ?? [])];
    target.value = '';
    setProblem(undefined);
    setProgress({ phase: 'Sending', part: 0 });
    try {
      const id = await sendFiles(files, (part) => setProgress({ phase: 'Sending', part }));
      await follow(id);
    } catch (failure) {
      setProblem(failure as Problem);
    }
    setProgress(undefined);
    onSpent();
  }

  function follow(ingestionId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      subscribe(
        FollowUploadDocument,
        { ingestionId },
        {
          next({ ingestionChanged: { status, progress: part, error } }) {
            setProgress({ phase: 'Reading', part });
            if (status === 'COMPLETED') resolve();
            if (error) reject(error);
          },
          error: reject,
          complete: () => reject(BROKEN_OFF),
        },
      );
    });
  }

  return (
    <>
      <label className="button">
        Add files
        <input type="file" multiple disabled={progress !== undefined} onChange={upload} />
      </label>
      {progress && (
        <label className="progress">
          {progress.phase} <progress value={progress.part} />
        </label>
      )}
      {problem && <Notice problem={problem} signIn={signIn} />}
    </>
  );
}
