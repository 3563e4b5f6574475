import { ConfigurationError } from '../../core/errors.ts';

/** @throws ConfigurationError when the question is blank; the gateway would also blame the dataset */
export function readQuestion(question: string): string {
  if (question.trim() === '') throw new ConfigurationError('the question is empty');
  return question;
}
