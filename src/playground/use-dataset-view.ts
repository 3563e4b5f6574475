import { useEffect, useRef, useState } from 'preact/hooks';
import { FilequeryError } from '../client/client-errors.ts';
import {
  DeleteFileDocument,
  FileLinkDocument,
  type ShownFileFragment,
  type TokenPermission,
} from '../generated/playground.ts';
import type { Gateway } from './api/gateway.ts';
import { PAGE_SIZE, useFiles, whereOf } from './files/use-files.ts';
import { deleted, listed, type Performed } from './requests/performed.ts';
import type { Viewer } from './session/use-session.ts';

export interface DatasetViewOptions {
  gateway: Gateway;
  viewer: Viewer;
  datasetId: string;
  /** Called with each action of the user. */
  onRequest: (request: Performed) => void;
  /** Called after an action that costs credits. */
  reload: () => Promise<void>;
}

/** An API key allows everything. */
const EVERYTHING: TokenPermission[] = ['READ', 'ASK', 'UPLOAD', 'DELETE'];

/** The files of a dataset, and what can be done with one of them. */
export function useDatasetView({ gateway, viewer, datasetId, onRequest }: DatasetViewOptions) {
  const allowed = new Set(viewer.token?.permissions ?? EVERYTHING);
  const [name, setName] = useState('');
  const files = useFiles({ gateway, datasetId, name, isAllowed: allowed.has('READ') });
  const [open, setOpen] = useState<ShownFileFragment>();
  const [deleting, setDeleting] = useState<ShownFileFragment>();
  const headingRef = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    onRequest(listed({ datasetId, first: PAGE_SIZE, where: whereOf(name) }));
  }, [name]);

  return {
    allowed,
    list: files.list,
    files: files.list.files,
    readMore: files.readMore,
    name,
    setName,
    opened: open,
    deleting,
    headingRef,
    open(file: ShownFileFragment | undefined): void {
      setOpen(file);
    },
    askToDelete(file: ShownFileFragment | undefined): void {
      setOpen(undefined);
      setDeleting(file);
    },
    /** Of the stored copy; null if the file was deleted. */
    async linkTo(fileId: string): Promise<string | null> {
      const { file } = await gateway.execute(FileLinkDocument, { datasetId, fileId });
      return file?.permanentUrl ?? null;
    },
    async remove(): Promise<void> {
      if (!deleting) return;
      const { fileId, id } = deleting;
      onRequest(deleted({ datasetId, fileId }));
      await gateway.execute(DeleteFileDocument, { input: { datasetId, fileId } }).catch((error) => {
        // The file was already deleted: by another user, or by an earlier attempt whose response was lost.
        if (!(error instanceof FilequeryError && error.code === 'FILE_NOT_FOUND')) throw error;
      });
      files.remove(id);
      // The button that had the focus no longer exists.
      requestAnimationFrame(() => headingRef.current?.focus());
    },
  };
}
