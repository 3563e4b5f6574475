/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { DatasetsDocument } from '../generated/playground.ts';
import type { Gateway } from './api/gateway.ts';
import { DatasetView } from './dataset-view.tsx';
import { useUploads } from './files/use-uploads.ts';
import { CodePanel } from './requests/code-panel.tsx';
import { type Performed, uploaded } from './requests/performed.ts';
import { Header } from './session/header.tsx';
import { keptDataset } from './session/kept.ts';
import type { Viewer } from './session/use-session.ts';

interface WorkspaceProps {
  gateway: Gateway;
  viewer: Viewer;
  url: string;
  reload: () => Promise<void>;
  signOut: () => void;
}

/** The dataset that a demo begins with, as in the examples of the first start. */
const FIRST_DATASET = 'docs';

/** The datasets of a credential, and the view of one of them. */
export function Workspace({ gateway, viewer, url, reload, signOut }: WorkspaceProps) {
  const isCustomer = viewer.credential === 'API_KEY';
  const [names, setNames] = useState<string[]>();
  const [chosen, choose] = useState(keptDataset.read());
  const [request, setRequest] = useState<Performed>();
  // Stored files are only skipped for callers that may see them.
  const onDuplicate = viewer.token?.permissions.includes('READ') === false ? 'KEEP_BOTH' : 'SKIP';
  const uploads = useUploads({
    gateway,
    onDuplicate,
    onUploaded({ datasetId, fileName, metadata }) {
      const hasOwn = Object.keys(metadata).length > 0;
      const own = hasOwn ? { [fileName]: metadata } : undefined;
      setRequest(uploaded({ datasetId, metadata: own, onDuplicate }, fileName));
      // The first upload creates the dataset.
      setNames((now = []) => (now.includes(datasetId) ? now : [...now, datasetId]));
      void reload();
    },
  });
  const datasetId = viewer.datasetId ?? (chosen || names?.[0]) ?? FIRST_DATASET;

  useEffect(() => {
    if (!isCustomer) return;
    // Without the list, a name can still be typed.
    gateway.execute(DatasetsDocument, {}).then(
      ({ datasets }) => setNames(datasets?.nodes.map(({ datasetId }) => datasetId) ?? []),
      () => setNames([]),
    );
  }, []);
  if (isCustomer && !names) return <p class="starting quiet">Loading…</p>;

  return (
    <>
      <Header
        viewer={viewer}
        datasetId={datasetId}
        datasets={isCustomer ? names : undefined}
        signOut={signOut}
        onChoose={(name) => {
          keptDataset.write(name);
          choose(name);
        }}
      />
      <DatasetView
        key={datasetId}
        {...{ gateway, viewer, datasetId, uploads, reload, signOut }}
        onRequest={setRequest}
      />
      <CodePanel request={request} url={url} />
    </>
  );
}
