import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { accountNamesQuery } from './line.calls.ts';
import css from './line-sheet.module.css';

/** Most accounts that are offered. */
const mostOffered = 8;

/** The field of an edited cell, with accounts to choose from below it. */
export function LineSheetInput({
  first,
  label,
  onCommit,
  onCancel,
  onPaste,
}: {
  first: string;
  label: string;
  onCommit: (text: string, way: readonly [down: number, right: number]) => void;
  onCancel: () => void;
  /** Text with several cells. */
  onPaste: (text: string) => void;
}) {
  const [text, setText] = useState(first);
  const [chosen, setChosen] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const list = useId();
  const [asked] = useDebouncedValue(text.trim().split('@', 1)[0]!, 150);
  const names = useQuery({ ...accountNamesQuery(asked), enabled: asked !== '' }).data ?? [];
  const offered = asked === '' || text.trim() === '' ? [] : names.slice(0, mostOffered);
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(first.length, first.length);
  }, [first]);
  const nameOf = (n: number): string => {
    const { number, server } = offered[n]!;
    const isShared = names.filter((a) => a.number.toLowerCase() === number.toLowerCase()).length > 1;
    return isShared ? `${number}@${server}` : number;
  };
  const end = (run: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    run();
  };
  const commit = (down: number, right: number) =>
    end(() => onCommit(chosen >= 0 && chosen < offered.length ? nameOf(chosen) : text, [down, right]));
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === 'Enter') commit(e.shiftKey ? -1 : 1, 0);
    else if (e.key === 'Tab') commit(0, e.shiftKey ? -1 : 1);
    else if (e.key === 'Escape') end(onCancel);
    else if (e.key === 'ArrowDown') setChosen(Math.min(offered.length - 1, chosen + 1));
    else if (e.key === 'ArrowUp') setChosen(Math.max(-1, chosen - 1));
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div className={css.editor}>
      <input
        ref={input}
        className="mono"
        role="combobox"
        aria-label={label}
        aria-expanded={offered.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
        value={text}
        maxLength={160}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setChosen(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => commit(0, 0)}
        onPaste={(e) => {
          const pasted = e.clipboardData.getData('text/plain');
          if (!/[\t\n\r]./s.test(pasted)) return;
          e.preventDefault();
          end(() => onPaste(pasted));
        }}
      />
      <div id={list} role="listbox" aria-label={label} className={css.offered} hidden={offered.length === 0}>
        {offered.map((account, n) => (
          <div
            key={account.id}
            id={`${list}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === chosen}
            onMouseDown={(e) => {
              e.preventDefault();
              e.stopPropagation();
              end(() => onCommit(nameOf(n), [1, 0]));
            }}
          >
            <code>{nameOf(n)}</code> {account.name}
            <small>{account.server}</small>
          </div>
        ))}
      </div>
    </div>
  );
}
