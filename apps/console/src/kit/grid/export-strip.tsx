import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { IconCircleCheckFilled, IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ExportOrder } from '@carillon/contracts';
import { FieldError } from '../part/field-error.tsx';
import { refusalOf } from '../part/refusal.ts';
import { isCallError } from '../api/call.ts';
import { keep } from '../browser/storage.ts';
import { userClock } from '../text/clock.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { deleteFile, fileQuery, orderFile, saveFile } from './export-file.calls.ts';
import type { ExportRequest, FileService } from './list-file.calls.ts';
import { useLayout } from './layout.ts';
import type { TextKey } from '../text/key.ts';
import { word } from './list-columns.tsx';
import type { Column, Filter } from './grid.types.ts';
import css from './export-strip.module.css';

/** The list of the export. */
export interface ExportedList<T> {
  of: {
    name: string;
    title: TextKey;
    service: FileService;
    list: { path: string };
    exportPath?: string;
    columns: readonly { key: string; words?: string | Readonly<Record<string, string>> }[];
  };
  columns: readonly Column<T>[];
  filters: readonly Filter<string>[];
}

/**
 * Shows a file while it is written, and then offers it. Its id is stored, so that it is shown again after a reload
 * (SHELL-17).
 */
export default function ExportStrip<T>({
  list,
  of,
  onClose,
}: {
  list: ExportedList<T>;
  of: ExportRequest | string;
  onClose: () => void;
}) {
  const { t } = useText();
  const { name, service } = list.of;
  const title = word(t, list.of.title);
  const { id, fault, showRefusal } = useOrder(list, title, of);
  const query = useQuery({ ...fileQuery(service, id ?? ''), enabled: id !== undefined });
  const file = query.data;
  const close = () => {
    keep(`export-order-${name}`, undefined);
    keep(`export-${name}`, undefined);
    onClose();
    if (id !== undefined)
      void deleteFile(service, id).catch(() => {
        /* Already deleted. */
      });
  };
  // Forgets a file that was deleted, after a day or in another tab.
  const leaveMissing = useEffectEvent(() => {
    if (query.isError && isCallError(query.error) && query.error.code === 404) {
      keep(`export-${name}`, undefined);
      onClose();
    }
  });
  useEffect(() => leaveMissing(), [query.isError]);
  const failed = fault ?? (file?.status === 'fail' ? t('export.failed') : undefined);
  const region = t('export.region', { name: title });
  return (
    <div className={css.strip} role="region" aria-label={region}>
      {failed !== undefined ? (
        <div role="alert" className={css.words}>
          <FieldError text={failed} />
        </div>
      ) : file?.status === 'success' ? (
        <>
          <p role="status" className={css.words}>
            <IconCircleCheckFilled size={14} aria-hidden />
            {t('export.ready', { count: file.total, number: count(file.total) })}
          </p>
          <Button
            size="xs"
            leftSection={<IconDownload size={15} stroke={1.75} />}
            onClick={() => void saveFile(service, file.id, `${title}.xlsx`).catch(showRefusal)}
          >
            {t('export.download')}
          </Button>
        </>
      ) : (
        <>
          <p role="status" className={css.words}>
            {file && file.total > 0
              ? t('export.progress', { done: count(file.done), total: count(file.total) })
              : t('export.begins')}
          </p>
          <progress
            className={css.bar}
            value={file?.done ?? 0}
            max={Math.max(1, file?.total ?? 1)}
            aria-label={region}
          />
        </>
      )}
      {file?.status === 'process' && failed === undefined ? (
        <Button size="xs" variant="default" onClick={close}>
          {t('common.cancel')}
        </Button>
      ) : (
        <CloseButton size="sm" aria-label={t('common.close')} onClick={close} />
      )}
    </div>
  );
}

/** Orders the file once, with the visible columns and the page's labels. */
function useOrder<T>(
  { of: declared, columns: drawn, filters }: ExportedList<T>,
  title: string,
  wanted: ExportRequest | string,
) {
  const { name, service, list, exportPath = list.path.replace(/\/list$/, '/export') } = declared;
  const client = useQueryClient();
  const { shown } = useLayout(name, drawn);
  const [id, setId] = useState(typeof wanted === 'string' ? wanted : undefined);
  const [fault, setFault] = useState<string>();
  const asked = useRef(false);
  const showRefusal = (e: unknown) => setFault(refusalOf(e).text);
  const order = useEffectEvent(() => {
    if (typeof wanted === 'string' || asked.current) return;
    asked.current = true;
    const columns = shown.flatMap((c): ExportOrder['columns'] => {
      const words = wordsOf(declared.columns.find(({ key }) => key === c.key)?.words ?? c.key, filters);
      return c.unwritten ? [] : [{ key: c.key, title: c.title, ...(words ? { words } : {}) }];
    });
    const { offset, rule } = userClock();
    // `keepalive` lets the order survive an immediate reload: the bell shows its file. It has a limit of 64 KB.
    const ask = async () => {
      const body = {
        ...wanted,
        ...('filter' in wanted ? { filter: filterOnly(wanted.filter) } : {}),
        columns,
        clock: { offset, rule },
        name: title,
      };
      const { id: made } = await orderFile(service, exportPath, body, {
        keepalive: JSON.stringify(body).length < 60_000,
      });
      keep(`export-order-${name}`, undefined);
      keep(`export-${name}`, made);
      setId(made);
      // A pending first response may be older than the order.
      const files = { queryKey: ['operation', 'exports'] };
      await client.cancelQueries(files);
      void client.invalidateQueries(files);
    };
    // An order that no server refused is repeated after a reload, which also aborts running calls.
    ask().catch((e: unknown) => {
      if (isCallError(e)) keep(`export-order-${name}`, undefined);
      showRefusal(e);
    });
  });
  useEffect(() => order(), []);
  return { id, fault, showRefusal };
}

/** Returns the labels of a column's values: from the choices of a filter, or as given. */
function wordsOf(
  filter: string | Readonly<Record<string, string>>,
  filters: readonly Filter<string>[],
): Record<string, string> | undefined {
  if (typeof filter !== 'string') return { ...filter };
  const options = filters.find((f) => f.key === filter)?.options ?? [];
  return options.length === 0 ? undefined : Object.fromEntries(options.map(({ value, label }) => [value, label]));
}

/** Returns the query of a list without page and order. */
const filterOnly = ({ page: _, limit: __, sort: ___, ...filter }: Record<string, unknown>) => filter;
