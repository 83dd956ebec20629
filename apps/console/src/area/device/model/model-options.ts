import { autoModel } from '@carillon/contracts/models';
import type { useText } from '../../../kit/text/use-text.ts';
import type { ModelName } from './model.calls.ts';

type T = ReturnType<typeof useText>['t'];

/**
 * Returns models grouped by series. With `auto`, each series that allows it begins with `Auto` and its series separated
 * by a line break, which no name contains.
 */
export function modelOptions(models: readonly ModelName[], t: T, { auto = false } = {}) {
  const bySeries = [...Map.groupBy(models, (model) => model.series)].toSorted(([a], [b]) =>
    a === '' ? 1 : b === '' ? -1 : a.localeCompare(b),
  );
  return bySeries.map(([series, all]) => ({
    group: series === '' ? t('deviceForm.otherModels') : series,
    items: [
      ...(auto && all.some((model) => model.auto)
        ? [{ value: `${autoModel}\n${series}`, label: t('deviceForm.auto', { series }) }]
        : []),
      ...all.map((model) => ({ value: model.name, label: model.showName === '' ? model.name : model.showName })),
    ],
  }));
}
