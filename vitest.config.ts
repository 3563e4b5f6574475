import { defineConfig } from 'vitest/config';
import { EFFORT } from './test/support/effort.ts';
import { SlowFirst } from './test/support/slow-first.ts';

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/compile-cache.ts',
    // Node loads our files as it does in production: Vite would load a second copy of graphql.
    experimental: { viteModuleRunner: false },
    pool: 'forks',
    // Twice as many as there are cores: tests that start processes wait for them most of the time.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    // Nothing of ours is kept in modules: loading them once saves a fifth of the time.
    isolate: false,
    testTimeout: 60_000 * EFFORT,
    // A busy machine may take its time; what is wrong stays wrong.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000 * EFFORT,
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'supabase',
          env: { TEST_STORAGE: 'supabase' },
          include: ['test/on-supabase.ts'],
        },
      },
    ],
  },
});
