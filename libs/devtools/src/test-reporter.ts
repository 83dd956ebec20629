import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Each test that ran, as a line `{ file, title, status, ms }`, with its `error` when it failed, of reports/tests.jsonl:
 * what proves a requirement, and how long it took.
 */
export default class LineReporter implements Reporter {
  private readonly file = 'reports/tests.jsonl';

  onTestModuleEnd(module: TestModule): void {
    mkdirSync(dirname(this.file), { recursive: true });
    const file = relative(process.cwd(), module.moduleId);
    const tests = [...module.children.allTests()];
    const line = (title: string, status: string, ms: number, error?: string): string =>
      JSON.stringify({ file, title, status, ms: Math.round(ms), error }) + '\n';
    const lines = tests.map((t: TestCase) =>
      line(
        t.fullName,
        t.result().state === 'pending' ? 'skipped' : t.result().state,
        t.diagnostic()?.duration ?? 0,
        t.result().errors?.[0]?.message,
      ),
    );
    // A file that could not even be loaded has no test to blame.
    if (module.state() === 'failed' && !tests.some((t) => t.result().state === 'failed')) {
      const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
      lines.push(line('the file itself', 'failed', 0, [...module.errors(), ...suites][0]?.message));
    }
    appendFileSync(this.file, lines.join(''));
  }
}
