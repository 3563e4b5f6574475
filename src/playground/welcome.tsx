/** @jsxImportSource preact */

interface WelcomeProps {
  hasFiles: boolean;
  mayUpload: boolean;
}

/** Shown before the first question. */
export function Welcome({ hasFiles, mayUpload }: WelcomeProps) {
  return (
    <div class="welcome">
      <p class="welcome-title">
        {hasFiles ? 'What would you like to know?' : 'Nothing to ask about yet'}
      </p>
      <p class="quiet">
        {hasFiles
          ? 'Answers come from the files alone. The numbers in them lead to the passages they are from.'
          : mayUpload
            ? 'Add a file: it can be questioned as soon as it was read.'
            : 'Files that others add appear here by themselves.'}
      </p>
    </div>
  );
}
