/** @jsxImportSource preact */
import { useMemo } from 'preact/hooks';
import type { Credential } from '../../client/credentials.ts';
import { toGraphqlFilters } from '../../client/to-graphql-filters.ts';
import type { Filter, FilterGroup } from '../../client/types.ts';
import { FileLinkDocument, type FilterInput } from '../../generated/playground.ts';
import { createGateway } from '../api/gateway.ts';
import type { Problem } from '../api/problem.ts';
import { Conversation } from '../chat/conversation.tsx';
import type { Turn } from '../chat/use-conversation.ts';
import type { ChatAnswer, ChatError } from './types.ts';

export interface ChatProps {
  endpoint: string;
  credential: Credential;
  /** A frontend token implies its own. */
  datasetId: string | undefined;
  heading: string;
  placeholder: string;
  language: string | undefined;
  instructions: string | undefined;
  filters: Filter[] | FilterGroup;
  onAnswer: (answer: ChatAnswer) => void;
  onError: (error: ChatError) => void;
}

/** The conversation of the playground as a component for other pages. */
export function Chat(props: ChatProps) {
  const { endpoint, credential, datasetId, filters, language, instructions } = props;
  const gateway = useMemo(() => createGateway(endpoint, credential), [endpoint, credential]);
  return (
    <Conversation
      title={props.heading}
      placeholder={props.placeholder}
      gateway={gateway}
      wishes={{
        datasetId,
        language,
        instructions,
        filters: toGraphqlFilters(filters) as FilterInput[],
      }}
      linkTo={async (fileId) => {
        const { file } = await gateway.execute(FileLinkDocument, { datasetId, fileId });
        return file?.permanentUrl ?? null;
      }}
      onAnswer={(turn) => props.onAnswer(toAnswer(turn))}
      onProblem={(problem) => props.onError(toError(problem))}
    />
  );
}

function toAnswer({ input: { question }, answer: { text, citations } }: Turn): ChatAnswer {
  return {
    question,
    text,
    citations: citations.map(({ start, end, supported, hit }) => ({
      start,
      end,
      supported,
      fileId: hit.fileId,
      originalName: hit.originalName,
      passage: hit.pageContent,
    })),
  };
}

function toError({ code, text }: Problem): ChatError {
  return { code, message: text };
}
