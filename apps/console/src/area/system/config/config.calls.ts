import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ConfigKey, RouteCall, editSysConfig } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const detail = remote('getSysConfig', 'GET /api/f/mc/sysConfig/detail');
const edit = remote('editSysConfig', 'PUT /api/f/mc/sysConfig');
type Setting = RouteCall<typeof editSysConfig>['body'];

/** One setting of the installation, with the type of its key. */
export const configQuery = <T>(configKey: ConfigKey) =>
  queryOptions({
    queryKey: ['config', configKey],
    queryFn: ({ signal }) => call(detail, { query: { configKey } }, { signal }).then((d) => d.value as T),
  });

/** Returns a function that saves a setting and refetches it. */
export function useSaveConfig(): (setting: Setting) => Promise<void> {
  const client = useQueryClient();
  return async (setting) => {
    await call(edit, { body: setting });
    await client.invalidateQueries({ queryKey: ['config', setting.configKey] });
  };
}
