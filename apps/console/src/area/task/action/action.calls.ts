import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FileNoun } from '@carillon/actions';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import { t } from '../../../kit/text/translate.ts';

export const addTask = remote('addTask', 'POST /api/f/task/task');
const listFirmware = remote('listFirmware', 'GET /api/f/resource/firmware/list');
const getFirmware = remote('getFirmware', 'GET /api/f/resource/firmware/{id}');
const listResourceFiles = remote('listResourceFiles', 'GET /api/f/resource/resourceFile/list');
const listConfigFiles = remote('listConfigFiles', 'GET /api/f/resource/configFile/list');
const getConfigFile = remote('getConfigFile', 'GET /api/f/resource/configFile/{id}');
const getResourceFile = remote('getResourceFile', 'GET /api/f/resource/resourceFile/{id}');

export const oneFirmwareQuery = (id: string) =>
  queryOptions({
    queryKey: ['firmware', 'one', id],
    queryFn: ({ signal }) => call(getFirmware, { params: { id } }, { signal }),
  });

/** A file for an action, as an option. */
export interface FileOption {
  id: string;
  title: string;
  about: string;
}

interface FileKind {
  /** The page that lists these files; users who may see it can choose one. */
  page: '/resources/firmwares' | '/resources/fileLists' | '/resources/configFiles';
  menu: 'menu.firmware' | 'menu.resourceFiles' | 'menu.configFiles';
  /** Returns the newest matches. */
  find(search: string, signal: AbortSignal): Promise<{ records: FileOption[]; total: number }>;
  one(id: string, signal: AbortSignal): Promise<FileOption>;
}

const newest = (search: string) =>
  ({ query: { limit: 20, sort: '-updatedAt', ...(search === '' ? {} : { search }) } }) as const;
const firmwareOption = ({ id, name, version, path, models }: RouteOutput<typeof getFirmware>): FileOption => ({
  id,
  title: `${name} ${version}`,
  about: `${t(`firmware.path.${path}`)} · ${models.join(', ')}`,
});
const resourceOption = ({ id, name, type, fileNames }: RouteOutput<typeof getResourceFile>): FileOption => ({
  id,
  title: name,
  about: `${t(`resourceFile.type.${type}`)} · ${fileNames.replaceAll(';', ', ')}`,
});
const configOption = ({ id, name, version, models, fileName }: RouteOutput<typeof getConfigFile>): FileOption => ({
  id,
  title: name,
  about: [`${t('configFile.version')} ${version}`, models.join(', ') || t('configFile.anyModel'), fileName].join(' · '),
});

/** How the console finds and names the files of each noun; their texts are `<noun>.search` and so on. */
export const fileKinds: Readonly<Record<FileNoun, FileKind>> = {
  firmware: {
    page: '/resources/firmwares',
    menu: 'menu.firmware',
    find: async (search, signal) => {
      const { records, total } = await call(listFirmware, newest(search), { signal });
      return { records: records.map(firmwareOption), total };
    },
    one: async (id, signal) => firmwareOption(await call(getFirmware, { params: { id } }, { signal })),
  },
  resourceFile: {
    page: '/resources/fileLists',
    menu: 'menu.resourceFiles',
    find: async (search, signal) => {
      const { records, total } = await call(listResourceFiles, newest(search), { signal });
      return { records: records.map(resourceOption), total };
    },
    one: async (id, signal) => resourceOption(await call(getResourceFile, { params: { id } }, { signal })),
  },
  configFile: {
    page: '/resources/configFiles',
    menu: 'menu.configFiles',
    find: async (search, signal) => {
      const { records, total } = await call(listConfigFiles, newest(search), { signal });
      return { records: records.map(configOption), total };
    },
    one: async (id, signal) => configOption(await call(getConfigFile, { params: { id } }, { signal })),
  },
};

export const fileOptionsQuery = (noun: FileNoun, search: string) =>
  queryOptions({
    queryKey: [noun, 'choice', search],
    queryFn: ({ signal }) => fileKinds[noun].find(search, signal),
    placeholderData: keepPreviousData,
  });

export const fileOptionQuery = (noun: FileNoun, id: string) =>
  queryOptions({
    queryKey: [noun, 'option', id],
    queryFn: ({ signal }) => fileKinds[noun].one(id, signal),
  });
