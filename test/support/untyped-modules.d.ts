/* The package has no types, and those of DefinitelyTyped need an older graphql. */
declare module 'apollo-upload-client/UploadHttpLink.mjs' {
  import { ApolloLink, type HttpLink } from '@apollo/client';

  class UploadHttpLink extends ApolloLink {
    constructor(options: HttpLink.Options);
  }

  // biome-ignore lint/style/noDefaultExport: the package has one
  export { UploadHttpLink as default };
}

/* It is the path of its program. */
declare module 'relay-compiler' {
  const path: string;

  // biome-ignore lint/style/noDefaultExport: the package has one
  export { path as default };
}
