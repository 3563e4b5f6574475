import { defineChat } from './element/filequery-chat.tsx';

/* `/filequery-chat.js` of a gateway, and `filequery/chat` of the package. */

defineChat();
