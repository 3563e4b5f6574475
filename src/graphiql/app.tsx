import { GraphiQL } from 'graphiql';
import { useMemo, useRef, useState } from 'react';
import { exampleTabs } from './example-tabs.ts';
import { createFetcher } from './fetcher.ts';
import { KeyBar } from './key-bar.tsx';
import { storageOf } from './storage.ts';

const STORED_KEY = 'filequery:key';
const session = storageOf('sessionStorage');
const local = storageOf('localStorage');

/** GraphiQL with examples, below a bar that asks for the key. */
export function App() {
  const isWide = useMemo(() => matchMedia('(min-width: 701px)').matches, []);
  const [key, setKey] = useState(() => session.getItem(STORED_KEY) ?? '');
  const current = useRef(key);
  const fetcher = useMemo(() => createFetcher(() => current.current), []);
  const tabs = useMemo(() => exampleTabs(), []);

  const keep = (next: string) => {
    current.current = next;
    setKey(next);
    // For this tab of the browser, until it is closed.
    if (next) session.setItem(STORED_KEY, next);
    else session.removeItem(STORED_KEY);
  };
  return (
    <>
      <KeyBar isSet={key !== ''} onChange={keep} />
      <GraphiQL
        fetcher={fetcher}
        storage={local}
        defaultTabs={tabs}
        defaultEditorToolsVisibility={isWide ? 'variables' : undefined}
        shouldPersistHeaders={false}
      >
        <GraphiQL.Logo>
          <span />
        </GraphiQL.Logo>
      </GraphiQL>
    </>
  );
}
