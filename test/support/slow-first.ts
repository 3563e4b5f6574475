import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start many processes: they take longer than their size tells. */
const SLOW =
  /\/(child-processes|crash|demo|embedded-postgres|gateways|kills|package|prisma-cli|processes|start|stdio|swelling-files)\.test\.ts$/;

/**
 * Slow files first, so that at the end no worker is left alone with one; and before them those of
 * other projects than `all`, which are few and need workers of their own. Vitest sorts the rest: by
 * how long they took, or by their size where that is not known yet.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const turnOf = ({ project, moduleId }: TestSpecification) => {
      if (project.name !== 'all') return 0;
      return SLOW.test(moduleId) ? 1 : 2;
    };
    return sorted.toSorted((a, b) => turnOf(a) - turnOf(b));
  }
}
