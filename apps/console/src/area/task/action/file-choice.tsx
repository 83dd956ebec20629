import { useState, type ReactNode } from 'react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FileNoun } from '@carillon/actions';
import { useGranted } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { fileKinds, fileOptionQuery, fileOptionsQuery } from './action.calls.ts';
import css from './file-choice.module.css';

/** Chooses a file by its name and details. */
export function FileChoice({
  noun,
  // All parameters share one fault.
  name = 'params',
  label,
  value,
  onValue,
  error,
  className,
}: {
  noun: FileNoun;
  name?: string;
  label: string;
  value: string | undefined;
  onValue: (id: string | undefined) => void;
  error?: ReactNode;
  className?: string;
}) {
  const { t } = useText();
  const { page, menu } = fileKinds[noun];
  const enabled = useGranted(page);
  const [text, setText] = useState('');
  const chosen = useQuery({ ...fileOptionQuery(noun, value ?? ''), enabled: enabled && value !== undefined }).data;
  // The field shows the name of the choice, which is not a search.
  const asked = chosen && text === chosen.title ? '' : text.trim();
  const [search] = useDebouncedValue(asked, 250);
  const found = useQuery({ ...fileOptionsQuery(noun, search), enabled });
  const records = found.data?.records ?? [];
  const all = chosen && !records.some(({ id }) => id === chosen.id) ? [...records, chosen] : records;
  const isEmpty = search === '' && found.data?.total === 0;
  return (
    <div className={className}>
      <Select
        name={name}
        label={label}
        placeholder={t(`${noun}.search`)}
        searchable
        data={all.map(({ id, title }) => ({ value: id, label: title }))}
        // The server has filtered already.
        filter={({ options }) =>
          options.filter((option) => 'value' in option && records.some(({ id }) => id === option.value))
        }
        value={value ?? null}
        onChange={(id) => onValue(id ?? undefined)}
        onSearchChange={setText}
        renderOption={({ option }) => {
          const file = all.find(({ id }) => id === option.value);
          return (
            file && (
              <span className={css.option}>
                <span>{file.title}</span>
                <small>{file.about}</small>
              </span>
            )
          );
        }}
        nothingFoundMessage={found.isSuccess ? t(isEmpty ? `${noun}.none` : `${noun}.noMatch`) : undefined}
        description={chosen?.about}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={error}
        disabled={!enabled}
        allowDeselect={false}
        openOnFocus={false}
        comboboxProps={{ withinPortal: true }}
      />
      {!enabled && <p className={css.note}>{t(`${noun}.choiceDenied`)}</p>}
      {found.isError && (
        <p className={css.note} role="alert">
          {t(`${noun}.listFailed`)}
        </p>
      )}
      {isEmpty && (
        <p className={css.note}>
          {t(`${noun}.none`)} · <Link to={page}>{t(menu)}</Link>
        </p>
      )}
    </div>
  );
}

/** Shows a file's name, or its id when the user may not see it. */
export function FileName({ noun, id }: { noun: FileNoun; id: string }) {
  const enabled = useGranted(fileKinds[noun].page);
  const { data } = useQuery({ ...fileOptionQuery(noun, id), enabled });
  return <>{data?.title ?? id}</>;
}
