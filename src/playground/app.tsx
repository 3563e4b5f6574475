/** @jsxImportSource preact */
import { SignIn } from './session/sign-in.tsx';
import { useSession } from './session/use-session.ts';
import { Workspace } from './workspace.tsx';

/** The playground: asks for a key if it needs one. @param url the address of the gateway */
export function App({ url }: { url: string }) {
  const { session, signIn, signOut, reload } = useSession(url);
  switch (session.state) {
    case 'starting':
      return <p class="starting quiet">Loading…</p>;
    case 'out':
      return (
        <>
          <header class="bar">
            <p class="brand">filequery</p>
            <nav aria-label="Other pages">
              <a href="graphql">GraphiQL</a>
              <a href="docs">REST</a>
            </nav>
          </header>
          <SignIn {...session} signIn={signIn} />
        </>
      );
    case 'in':
      return <Workspace {...session} {...{ url, reload, signOut }} />;
  }
}
