import { type ChatMessage, invalidMessages, readConversation } from '../http/conversation.ts';

/**
 * Reads the request of a chat: its messages, and the fields that the program adds to the body.
 *
 * @throws AppError INVALID_INPUT for messages that are not in the format of the AI SDK, or contain files
 */
export function readRequest(body: Record<string, unknown>) {
  const { messages, datasetId, filters, language } = body;
  if (!Array.isArray(messages)) return invalidMessages('messages must be a list');
  const { question, history, instructions } = readConversation(messages.map(readMessage));
  return {
    datasetId,
    question,
    history,
    filters,
    language,
    instructions: body['instructions'] ?? instructions,
  };
}

function readMessage(value: unknown): ChatMessage {
  const { role, parts } = toObject(value);
  if (role !== 'system' && role !== 'user' && role !== 'assistant') {
    return invalidMessages('role of a message must be system, user or assistant');
  }
  if (!Array.isArray(parts)) return invalidMessages('parts of a message must be a list');
  return { role, content: parts.flatMap((part) => readPart(part, role)).join('\n') };
}

/** The other parts of an answer are sent back with the next question. */
function readPart(value: unknown, role: ChatMessage['role']): string[] {
  const { type, text } = toObject(value);
  if (type === 'file' && role === 'user') {
    invalidMessages('messages may have no files: documents are uploaded to the dataset');
  }
  if (type !== 'text') return [];
  return typeof text === 'string' ? [text] : invalidMessages('text of a part must be a string');
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
