import { exportCalls, exportOf } from '../define/export.ts';
import { listConfigFiles } from './config-file.routes.ts';
import { listFirmware } from './firmware.routes.ts';
import { listResourceFiles } from './resource-file.routes.ts';

export const resourceFileExport = exportOf(
  listResourceFiles,
  { what: 'resource files' },
  {
    name: 'text',
    type: 'word',
    fileNames: 'text',
    description: 'text',
    size: 'number',
    url: ['text', (r) => r.files.map((f) => f.url).join(';')],
    updatedAt: 'moment',
  },
);
export const addResourceFileExport = resourceFileExport.add;

export const configFileExport = exportOf(
  listConfigFiles,
  { what: 'configuration files' },
  {
    name: 'text',
    models: 'names',
    fileName: 'text',
    version: 'number',
    size: 'number',
    description: 'text',
    updatedAt: 'moment',
  },
);
export const addConfigFileExport = configFileExport.add;

export const firmwareExport = exportOf(
  listFirmware,
  { what: 'firmware' },
  {
    name: 'text',
    version: 'text',
    least: 'text',
    models: 'names',
    path: 'word',
    size: 'number',
    fileName: 'text',
    description: 'text',
    notice: ['word', (f) => f.notice.whom],
    noticeAt: ['moment', (f) => f.notice.at],
    updatedAt: 'moment',
  },
);
export const addFirmwareExport = firmwareExport.add;

export const resourceExports = exportCalls('resource');
export const {
  list: listResourceExports,
  get: getResourceExport,
  file: getResourceExportFile,
  remove: deleteResourceExport,
} = resourceExports;
