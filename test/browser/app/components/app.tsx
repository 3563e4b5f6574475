import { useCallback, useEffect, useState } from 'react';
import type { DataLayer } from '../data-layer.ts';
import { openSession, type Session } from '../session.ts';
import { AskPanel } from './ask-panel.tsx';
import { Budget } from './budget.tsx';
import { FilesPanel } from './files-panel.tsx';
import { Notice } from './notice.tsx';

/** Opens a session, and a new one when it has ended. */
export function App({ layer }: { layer: DataLayer }) {
  const [session, setSession] = useState<Session>();
  const [failure, setFailure] = useState('');
  const signIn = useCallback(() => {
    setFailure('');
    openSession().then(setSession, ({ message }: Error) => setFailure(message));
  }, []);
  useEffect(signIn, [signIn]);

  if (failure) return <p role="alert">{failure}</p>;
  if (!session) return <p>Signing in…</p>;
  return (
    <layer.Provider key={session.token} session={session}>
      <DatasetView layer={layer} signIn={signIn} />
    </layer.Provider>
  );
}

interface DatasetViewProps {
  layer: DataLayer;
  signIn(): void;
}

/** What the token allows. */
function DatasetView({ layer, signIn }: DatasetViewProps) {
  const { data: viewer, problem, reload } = layer.useViewer();
  if (!viewer) return problem ? <Notice problem={problem} signIn={signIn} /> : <p>Loading…</p>;
  // An API key allows everything.
  const permissions = viewer.token?.permissions ?? ['READ', 'ASK', 'UPLOAD', 'DELETE'];
  const props = { layer, permissions, signIn, onSpent: reload };
  return (
    <>
      <header>
        <h1>{viewer.datasetId ?? 'Files'}</h1>
        {viewer.token && <Budget token={viewer.token} />}
      </header>
      <main>
        {permissions.includes('ASK') && <AskPanel {...props} />}
        {permissions.includes('READ') && <FilesPanel {...props} />}
      </main>
    </>
  );
}
