/** @jsxImportSource preact */
import { render } from 'preact';
import type { Credential } from '../../client/credentials.ts';
import type { Filter, FilterGroup } from '../../client/types.ts';
import chatCss from '../styles/chat.css?inline';
import controlsCss from '../styles/controls.css?inline';
import elementCss from '../styles/element.css?inline';
import tokensCss from '../styles/tokens.css?inline';
import { Chat } from './chat.tsx';
import type { ChatAnswer, ChatError, FilequeryChatElement } from './types.ts';

/** The URL of this script: that of the gateway, unless a bundler has moved it. */
const SOURCE = import.meta.url;

/**
 * The folder of this script. A bundler takes `new URL('.', import.meta.url)` for a file of the package, which
 * Turbopack does not find; it does not take this for one.
 */
const folderOfSource = () => new URL('.', new URL(SOURCE)).href;

/** Defines `<filequery-chat>`, once on a page. */
export function defineChat(): void {
  // On a server there are no elements; the import does nothing then.
  if (typeof customElements === 'undefined' || customElements.get('filequery-chat')) return;

  class Element extends HTMLElement implements FilequeryChatElement {
    static readonly observedAttributes = [
      ...['endpoint', 'token', 'dataset', 'heading', 'placeholder', 'language', 'instructions'],
    ];
    #credential: Credential | undefined;
    #filters: Filter[] | FilterGroup = [];

    get credential(): Credential | undefined {
      return this.#credential;
    }
    set credential(credential: Credential | undefined) {
      this.#credential = credential;
      this.#draw();
    }

    get filters(): Filter[] | FilterGroup {
      return this.#filters;
    }
    set filters(filters: Filter[] | FilterGroup) {
      this.#filters = filters;
      this.#draw();
    }

    connectedCallback(): void {
      // Properties that the page set before this script was loaded.
      for (const name of ['credential', 'filters'] as const) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete (this as Partial<FilequeryChatElement>)[name];
        Object.assign(this, { [name]: value });
      }
      this.#draw();
    }

    attributeChangedCallback(): void {
      this.#draw();
    }

    disconnectedCallback(): void {
      if (this.shadowRoot) render(null, this.shadowRoot);
    }

    #draw(): void {
      if (!this.isConnected) return;
      const setting = (name: string) => this.getAttribute(name) || undefined;
      render(
        <Chat
          endpoint={setting('endpoint') ?? folderOfSource()}
          credential={this.#credential ?? setting('token') ?? ''}
          datasetId={setting('dataset')}
          heading={setting('heading') ?? 'Questions'}
          placeholder={setting('placeholder') ?? 'Ask a question'}
          language={setting('language')}
          instructions={setting('instructions')}
          filters={this.#filters}
          onAnswer={(detail) => this.#tell('answer', detail)}
          onError={(detail) => this.#tell('error', detail)}
        />,
        this.shadowRoot ?? prepare(this.attachShadow({ mode: 'open' })),
      );
    }

    #tell(type: string, detail: ChatAnswer | ChatError): void {
      this.dispatchEvent(new CustomEvent(type, { detail }));
    }
  }
  customElements.define('filequery-chat', Element);
}

function prepare(root: ShadowRoot): ShadowRoot {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([tokensCss, controlsCss, chatCss, elementCss].join('\n'));
  root.adoptedStyleSheets = [sheet];
  for (const type of ['keydown', 'keyup'] as const) root.addEventListener(type, keepTyped);
  return root;
}

/**
 * The page does not see that a key is typed into a field, because the field is inside the element: a shortcut
 * of the page, such as `/` for its search, would take it.
 */
function keepTyped(event: Event): void {
  if (!(event instanceof KeyboardEvent && event.target instanceof HTMLTextAreaElement)) return;
  const { key, ctrlKey, metaKey } = event;
  if (key.length === 1 && !ctrlKey && !metaKey) event.stopPropagation();
}
