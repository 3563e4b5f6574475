import type { ServerResponse } from 'node:http';

export function refuse(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_double' });
  response.end(JSON.stringify({ error }));
}

export function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
