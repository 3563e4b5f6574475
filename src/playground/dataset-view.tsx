/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { toGraphqlFilters } from '../client/to-graphql-filters.ts';
import type { FilterInput } from '../generated/playground.ts';
import { Conversation } from './chat/conversation.tsx';
import { DeleteDialog } from './files/delete-dialog.tsx';
import { FileDialog } from './files/file-dialog.tsx';
import { FilesPanel } from './files/files-panel.tsx';
import type { Uploads } from './files/use-uploads.ts';
import { type Choices, facetsOf, filtersOf } from './filters/facets.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { asked, opened } from './requests/performed.ts';
import { type DatasetViewOptions, useDatasetView } from './use-dataset-view.ts';
import { Welcome } from './welcome.tsx';

interface DatasetViewProps extends DatasetViewOptions {
  uploads: Uploads;
  signOut: () => void;
}

/** The files of a dataset, and questions about them. */
export function DatasetView(props: DatasetViewProps) {
  const { gateway, datasetId, onRequest, reload, uploads, signOut } = props;
  const view = useDatasetView(props);
  const { allowed, list, files, headingRef } = view;
  const [shown, show] = useState<'ask' | 'files'>('ask');
  const [choices, setChoices] = useState<Choices>({});
  const filters = filtersOf(choices);
  // A list that may not be read, was not yet, or is of some names alone says nothing of it.
  const isEmpty = allowed.has('READ') && list.isRead && !view.name && list.totalCount === 0;
  const about = files.find(({ fileId }) => filters.some((each) => isAbout(each, fileId)));

  return (
    <main id="main" class={`dataset-view shows-${shown}`}>
      <nav class="switch" aria-label="Parts of the page">
        <button type="button" aria-pressed={shown === 'ask'} onClick={() => show('ask')}>
          Ask
        </button>
        <button type="button" aria-pressed={shown === 'files'} onClick={() => show('files')}>
          Files {list.isRead && <span class="quiet">{list.totalCount}</span>}
        </button>
      </nav>
      <FilesPanel
        {...{ datasetId, uploads, headingRef }}
        list={allowed.has('READ') ? list : undefined}
        name={view.name}
        onName={view.setName}
        readMore={view.readMore}
        mayUpload={allowed.has('UPLOAD')}
        open={view.open}
        remove={allowed.has('DELETE') ? view.askToDelete : undefined}
        signIn={signOut}
      />
      {allowed.has('ASK') ? (
        <Conversation
          title="Questions"
          placeholder={isEmpty ? 'Ask when there are files' : 'Ask about the files'}
          gateway={gateway}
          wishes={{ datasetId, filters: toGraphqlFilters(filters) as FilterInput[] }}
          filters={
            <FilterBar
              facets={facetsOf(files)}
              choices={choices}
              fileName={about?.originalName}
              onChange={setChoices}
            />
          }
          linkTo={allowed.has('READ') ? view.linkTo : undefined}
          signIn={signOut}
          onAsk={(input) => onRequest(asked(input, filters))}
          onEnd={reload}
        >
          <Welcome hasFiles={!isEmpty} mayUpload={allowed.has('UPLOAD')} />
        </Conversation>
      ) : (
        <p class="conversation quiet pad">This token may not ask questions.</p>
      )}
      {view.opened && (
        <FileDialog
          {...{ gateway, datasetId }}
          listed={view.opened}
          onRead={(variables) => onRequest(opened(variables))}
          askAbout={allowed.has('ASK') ? askAbout(view.opened.fileId) : undefined}
          remove={allowed.has('DELETE') ? () => view.askToDelete(view.opened) : undefined}
          onClose={() => view.open(undefined)}
        />
      )}
      {view.deleting && (
        <DeleteDialog
          name={view.deleting.originalName}
          remove={view.remove}
          onClose={() => view.askToDelete(undefined)}
        />
      )}
    </main>
  );

  function askAbout(fileId: string): () => void {
    return () => {
      setChoices({ fileId: { values: [fileId] } });
      view.open(undefined);
      show('ask');
    };
  }
}

function isAbout(filter: object, fileId: string): boolean {
  return JSON.stringify(filter).includes(fileId);
}
