import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import type { TestMessage } from './test-progress.ts';

type ConsoleLog = Parameters<NonNullable<Reporter['onUserConsoleLog']>>[0];
type Failure = Parameters<NonNullable<Reporter['onTestRunEnd']>>[1][number];

/**
 * Writes each test that ran to reports/tests.jsonl as `{ file, title, status, ms }`, with `error` when it failed or gave
 * a reason for its skip: proof of requirements, with durations. Sends progress, errors and logs of failed files to
 * `./carillon test`. Prints nothing itself.
 */
export default class LineReporter implements Reporter {
  private readonly file = process.env['CARILLON_TEST_REPORT'] ?? 'reports/tests.jsonl';
  private readonly logs = new Map<string, string[]>();
  private vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.send({ kind: 'files', files: specifications.map((spec) => this.name(spec.moduleId)) });
  }

  onTestModuleQueued(module: TestModule): void {
    this.send({ kind: 'begin', file: this.name(module.moduleId) });
  }

  onUserConsoleLog(log: ConsoleLog): void {
    const task = log.taskId === undefined ? undefined : this.vitest.state.idMap.get(log.taskId);
    const file = task?.file.filepath ?? '';
    this.logs.set(file, [...(this.logs.get(file) ?? []).slice(-200), log.content.trimEnd()]);
  }

  onTestCaseResult(test: TestCase): void {
    if (!this.isFilteredOut(test)) this.send({ kind: 'test', status: statusText(test) });
  }

  onTestModuleEnd(module: TestModule): void {
    mkdirSync(dirname(this.file), { recursive: true });
    const file = this.name(module.moduleId);
    const tests = [...module.children.allTests()].filter((test) => !this.isFilteredOut(test));
    const line = (title: string, status: string, ms: number, error?: string): string =>
      JSON.stringify({ file, title, status, ms: Math.round(ms), error }) + '\n';
    const lines = tests.map((t: TestCase) =>
      line(t.fullName, statusText(t), t.diagnostic()?.duration ?? 0, reasonOf(t)),
    );
    const failed = tests.filter((t) => t.result().state === 'failed');
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    const ofFile = [...module.errors(), ...suites];
    // A file that cannot be loaded has no failed test.
    if (module.state() === 'failed' && failed.length === 0)
      lines.push(line('the file itself', 'failed', 0, ofFile[0]?.message));
    appendFileSync(this.file, lines.join(''));
    this.send({
      kind: 'end',
      file,
      ...(module.state() === 'failed' ? { failure: this.describe(module, failed, ofFile) } : {}),
    });
    this.logs.delete(module.moduleId);
  }

  /** Unhandled errors belong to no file, but vitest fails the run because of them. */
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    for (const error of unhandled) {
      const title = 'outside of the tests';
      mkdirSync(dirname(this.file), { recursive: true });
      appendFileSync(
        this.file,
        `${JSON.stringify({ file: '', title, status: 'failed', ms: 0, error: error.message })}\n`,
      );
      this.send({ kind: 'end', file: '', failure: `FAILED ${title}\n${this.errorText(error)}` });
    }
  }

  /** Returns whether a test is slow and the first set runs: it is then not reported as skipped. */
  private isFilteredOut(test: TestCase): boolean {
    return (this.vitest.config.tagsFilter ?? []).length > 0 && test.tags.includes('slow');
  }

  private describe(module: TestModule, failed: readonly TestCase[], ofFile: readonly Failure[]): string {
    const blocks = [
      ...ofFile.map((error) => `FAILED ${this.name(module.moduleId)}\n${this.errorText(error, module)}`),
      ...failed.map(
        (test) =>
          `FAILED ${this.name(module.moduleId)}\n  ${test.fullName}\n${(test.result().errors ?? [])
            .map((error) => this.errorText(error, module))
            .join('')}`,
      ),
    ];
    const logs = this.logs.get(module.moduleId) ?? [];
    if (logs.length > 0) blocks.push(`Its logs:\n${logs.join('\n')}\n`);
    return blocks.join('\n');
  }

  /** Formats the error like vitest, with the surrounding source lines. */
  private errorText(error: Failure, module?: TestModule): string {
    let text = '';
    const logger = Object.create(this.vitest.logger, {
      error: { value: (...parts: unknown[]) => (text += `${parts.join(' ')}\n`) },
    }) as Vitest['logger'];
    logger.printError(error, module ? { project: module.project } : {});
    return text;
  }

  private name(moduleId: string): string {
    return relative(process.cwd(), moduleId);
  }

  private send(message: TestMessage): void {
    process.send?.(message);
  }
}

/** Returns the error of a failed test, or what a skipped one says about its reason. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note : result.errors?.[0]?.message;
}

const statusText = (test: TestCase): 'passed' | 'failed' | 'skipped' => {
  const { state } = test.result();
  return state === 'pending' ? 'skipped' : state;
};
