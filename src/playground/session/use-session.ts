import { useEffect, useState } from 'preact/hooks';
import { ViewerDocument, type ViewerQuery } from '../../generated/playground.ts';
import { createGateway, type Gateway } from '../api/gateway.ts';
import { endsSession, type Problem, problemOf } from '../api/problem.ts';
import { fetchDemoKey } from './demo-key.ts';
import { keptKey } from './kept.ts';

export type Viewer = NonNullable<ViewerQuery['viewer']>;

export type Session =
  | { state: 'starting' }
  | { state: 'out'; problem?: Problem; demoKey?: string | undefined }
  | { state: 'in'; gateway: Gateway; viewer: Viewer };

const NOBODY = { viewer: null };

/** The user of the page: by the key that this tab has, otherwise the demo customer if the gateway allows it. */
export function useSession(url: string) {
  const [session, setSession] = useState<Session>({ state: 'starting' });
  useEffect(() => {
    void start();
  }, []);

  return {
    session,
    signIn,
    async signOut(): Promise<void> {
      keptKey.write('');
      setSession({ state: 'out', demoKey: await fetchDemoKey(url) });
    },
    /** After something that costs credits. */
    async reload(): Promise<void> {
      if (session.state !== 'in') return;
      // A failure is ignored: the action before reports it.
      const { viewer } = await session.gateway.execute(ViewerDocument, {}).catch(() => NOBODY);
      if (viewer) setSession((now) => (now.state === 'in' ? { ...now, viewer } : now));
    },
  };

  async function start(): Promise<void> {
    const kept = keptKey.read();
    const problem = kept ? await signIn(kept) : undefined;
    if (kept && !(problem && endsSession(problem))) return;
    const demoKey = await fetchDemoKey(url);
    if (demoKey && demoKey !== kept) await signIn(demoKey);
    else setSession({ state: 'out', ...(problem && { problem }) });
  }

  /** @returns the reason if it failed */
  async function signIn(key: string): Promise<Problem | undefined> {
    const gateway = createGateway(url, key);
    try {
      const { viewer } = await gateway.execute(ViewerDocument, {});
      if (!viewer) throw new Error('The gateway does not say whose key this is.');
      keptKey.write(key);
      setSession({ state: 'in', gateway, viewer });
      return undefined;
    } catch (error) {
      const problem = problemOf(error);
      if (endsSession(problem)) keptKey.write('');
      setSession((now) => ({ ...(now.state === 'out' ? now : {}), state: 'out', problem }));
      return problem;
    }
  }
}
