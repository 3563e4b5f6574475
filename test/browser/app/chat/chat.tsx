import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { type FormEvent, useState } from 'react';
import { ChatMessage, type Message } from './chat-message.tsx';

interface ChatProps {
  /** The address of `POST /v1/chat`. */
  api: string;
  /** A frontend token. */
  token: string;
}

/** A conversation about the files, by the AI SDK. */
export function Chat({ api, token }: ChatProps) {
  const [transport] = useState(
    () => new DefaultChatTransport<Message>({ api, headers: { authorization: `Bearer ${token}` } }),
  );
  const { messages, sendMessage, regenerate, stop, status, error } = useChat({ transport });
  const isBusy = status === 'submitted' || status === 'streaming';

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('question'));
    event.currentTarget.reset();
    sendMessage({ text });
  }

  return (
    <section aria-label="Questions" aria-busy={isBusy}>
      {messages.map((message) => (
        <ChatMessage key={message.id} message={message} />
      ))}
      {error && (
        <p role="alert">
          {reasonOf(error)}{' '}
          <button type="button" onClick={() => regenerate()}>
            Try again
          </button>
        </p>
      )}
      <form onSubmit={submit}>
        <input name="question" aria-label="Question" required placeholder="Ask about your files" />
        {isBusy ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit">Ask</button>
        )}
      </form>
    </section>
  );
}

/** The AI SDK takes the body of a refusal for its message. */
function reasonOf({ message }: Error): string {
  try {
    return JSON.parse(message).error;
  } catch {
    return message;
  }
}
