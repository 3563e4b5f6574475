import type { Turn } from '../core/answer.ts';
import { invalidInput } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** A message of a chat; `system` are instructions of the calling program. */
export interface ChatMessage {
  role: 'system' | Turn['role'];
  content: string;
}

/** What a chat asks. */
export interface Conversation {
  question: string;
  history: Turn[];
  instructions: string;
}

/**
 * Reads a chat: its last message is the question. A chat grows with every question and is sent whole, so
 * what exceeds the limits of the history is dropped: the oldest turns, and the ends of long ones.
 *
 * @throws AppError INVALID_INPUT when the last message is not a user message with text
 */
export function readConversation(messages: ChatMessage[]): Conversation {
  const turns = messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : { role, content },
  );
  const question = turns.pop();
  if (question?.role !== 'user') invalidMessages('the last message must be one of the user');
  if (question.content.trim() === '') invalidMessages('the last message must have text');
  return {
    question: question.content,
    history: turns.slice(-LIMITS.historyTurns).map(({ role, content }) => ({
      role,
      content: content.slice(0, LIMITS.turnCharacters),
    })),
    instructions: messages
      .flatMap(({ role, content }) => (role === 'system' ? content : []))
      .join('\n\n'),
  };
}

/** @throws AppError INVALID_INPUT about the messages of a chat */
export function invalidMessages(reason: string): never {
  return invalidInput(reason, 'messages');
}
