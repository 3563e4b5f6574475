import { BREAK, type GraphQLResolveInfo, type OperationDefinitionNode, visit } from 'graphql';

/** The operations of cached documents run again and again: each is searched once. */
const searched = new WeakMap<OperationDefinitionNode, boolean>();

/**
 * Whether an operation or one of its fragments selects the transcript of any file. Transcripts are long,
 * so files are read without them otherwise.
 */
export function selectsTranscripts({
  operation,
  fragments,
}: Pick<GraphQLResolveInfo, 'operation' | 'fragments'>): boolean {
  const known = searched.get(operation);
  if (known !== undefined) return known;
  let found = false;
  for (const definition of [operation, ...Object.values(fragments)]) {
    visit(definition, {
      Field({ name }) {
        found ||= name.value === 'transcriptionText' || name.value === 'transcriptionSrt';
        return found ? BREAK : undefined;
      },
    });
  }
  searched.set(operation, found);
  return found;
}
