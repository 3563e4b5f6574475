import { type ChatMessage, invalidMessages } from '../http/conversation.ts';

const ROLES: Record<string, ChatMessage['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

/** @throws AppError INVALID_INPUT for anything but text messages */
export function readMessages(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) return invalidMessages('messages must be a list');
  return value.map(readMessage);
}

function readMessage(value: unknown): ChatMessage {
  const message =
    toObject(value) ?? invalidMessages('a message must be an object with role and content');
  const { role: given, content, tool_calls: toolCalls } = message;
  if (given === 'tool' || given === 'function' || !isEmpty(toolCalls)) {
    return invalidMessages('messages about tools are not supported');
  }
  const role = typeof given === 'string' && Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
  if (!role)
    return invalidMessages('role of a message must be system, developer, user or assistant');
  return { role, content: readContent(content, role) };
}

function readContent(content: unknown, role: ChatMessage['role']): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(readPart).join('\n');
  // A refusal has no content.
  if (role === 'assistant' && (content === undefined || content === null)) return '';
  return invalidMessages('content of a message must be a string or a list of parts');
}

function readPart(value: unknown): string {
  const { type, text, refusal } = toObject(value) ?? {};
  const content = type === 'refusal' ? refusal : text;
  if ((type === 'text' || type === 'refusal') && typeof content === 'string') return content;
  return invalidMessages(
    'messages may have parts of text only: documents are uploaded to the dataset',
  );
}

function isEmpty(list: unknown): boolean {
  return list === undefined || list === null || (Array.isArray(list) && list.length === 0);
}

function toObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
