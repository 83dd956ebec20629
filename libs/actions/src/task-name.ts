import { languages, type Language, type TaskNaming } from '@carillon/contracts';
import { builtTaskName } from '@carillon/contracts/task-name';
import { taskNameLength } from '@carillon/contracts/constants';
import type { ActionDefinition } from './define.ts';
import * as registry from './registry.ts';

const actions: Readonly<Record<string, ActionDefinition>> = Object.fromEntries(
  (Object.values(registry) as unknown as ActionDefinition[]).map((action) => [action.key, action]),
);

/** A task as it is stored. */
export interface NamedTask {
  name: string;
  naming: TaskNaming | null;
  action: string;
  params: Readonly<Record<string, unknown>>;
}

/** Returns the name that the product gives a task, in a language. */
export function namedBy(
  naming: TaskNaming,
  { action, params }: Pick<NamedTask, 'action' | 'params'>,
  language: Language,
): string {
  const known = Object.hasOwn(actions, action) ? actions[action]! : undefined;
  const order = naming.code === 'device' ? known?.orders?.(params)[language] : undefined;
  return order !== undefined && 'device' in naming
    ? `${order}: ${naming.device}`.slice(0, taskNameLength).trim()
    : builtTaskName(language, known?.texts.name[language] ?? action, naming);
}

/** Returns a task's name for a reader: what a user typed, or the product's own name in the reader's language. */
export const taskNameIn = (task: NamedTask, language: Language): string =>
  task.naming === null ? task.name : namedBy(task.naming, task, language);

/** Returns the product's own name of a task in every language; undefined for a name that a user typed. */
export const taskNames = (task: NamedTask): Record<Language, string> | undefined =>
  task.naming === null
    ? undefined
    : (Object.fromEntries(languages.map((l) => [l, taskNameIn(task, l)])) as Record<Language, string>);
