import { autoModel, listedSeries, type ErrorKey } from '@carillon/contracts';
import { linesPerDevice } from '@carillon/contracts/constants';
import { knownModels, type KnownModel } from './model.queries.ts';

/** Returns how many lines a device of a model has; the maximum for an unknown model (DEV-02). */
const linesOf = (model: KnownModel | undefined): number => Math.min(linesPerDevice, model?.sipCount ?? linesPerDevice);

/** Returns the model with this name, else the one with this shown or internal name. */
function modelNamed(models: readonly KnownModel[], name: string): KnownModel | undefined {
  const wanted = name.toLowerCase();
  return (['name', 'showName', 'internalName'] as const)
    .map((property) => models.find((model) => model[property].toLowerCase() === wanted))
    .find((model) => model !== undefined);
}

/** Returns the name of a model in the spelling of the list; undefined when the list does not have it. */
export const listedName = (models: readonly KnownModel[], name: string): string | undefined =>
  modelNamed(models, name)?.name;

type Chosen =
  | { model: string; lines: number }
  | { field: 'model' | 'series'; error: Extract<ErrorKey, `device.${string}`> };

/**
 * Returns the model for a device in the spelling of the list, with its number of lines; or the reason against it
 * (DEV-02).
 */
export function chosenModel(models: readonly KnownModel[], name: string, series = ''): Chosen {
  if (name.toLowerCase() !== autoModel.toLowerCase()) {
    const model = modelNamed(models, name);
    return model ? { model: model.name, lines: linesOf(model) } : { field: 'model', error: 'device.modelUnknown' };
  }
  const ofSeries = models.find((model) => series !== '' && model.series.toLowerCase() === series.toLowerCase());
  if (ofSeries === undefined) return { field: 'series', error: 'device.seriesMissing' };
  if (listedSeries(models).has(ofSeries.series)) return { field: 'model', error: 'device.autoRefused' };
  return { model: autoModel, lines: linesPerDevice };
}

/** Returns a function that tells how many lines a device of a model has, from one reading of the models. */
export async function lineCounts(): Promise<(model: string) => number> {
  const models = await knownModels();
  const counts = new Map<string, number>();
  return (model) => {
    const count = counts.get(model) ?? linesOf(modelNamed(models, model));
    counts.set(model, count);
    return count;
  };
}

/** Returns how many lines a device of this model has. */
export async function linesOfModel(name: string): Promise<number> {
  return linesOf(modelNamed(await knownModels(), name));
}

/** What a device's model decides about it. */
interface ByModel {
  /** From its model, else from its own report, else null. */
  doorCount: number | null;
  /** From its hello, without those that its model does not support. */
  capabilities: string[];
}

/** Returns what the models of devices decide about them. */
export async function byModel(
  devices: readonly { model: string; doors: readonly { door: number }[]; capabilities: readonly string[] }[],
): Promise<ByModel[]> {
  if (devices.length === 0) return [];
  const models = await knownModels();
  const named = new Map<string, KnownModel | undefined>();
  for (const { model } of devices) if (!named.has(model)) named.set(model, modelNamed(models, model));
  return devices.map(({ model, doors, capabilities }) => {
    const known = named.get(model);
    const reported = doors.length === 0 ? null : Math.max(...doors.map((d) => d.door));
    return {
      doorCount: known?.doorCount ?? reported,
      capabilities: capabilities.filter((key) => known?.capabilities[key] !== false),
    };
  });
}

/** Returns those of the model names whose devices must prove themselves with a certificate (CFG-06). */
export async function mutualModels(names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const models = await knownModels();
  return new Set(names.filter((name) => modelNamed(models, name)?.mutualAuth === true));
}

/** Returns the models that a device can be added as. */
export async function modelNames() {
  const models = await knownModels();
  const listed = listedSeries(models);
  return models.map((model) => ({
    name: model.name,
    showName: model.showName,
    series: model.series,
    lines: linesOf(model),
    auto: model.series !== '' && !listed.has(model.series),
  }));
}
