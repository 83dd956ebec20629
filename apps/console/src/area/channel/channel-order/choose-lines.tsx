import { useState } from 'react';
import { NumberInput, SegmentedControl, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mostOrders } from '@carillon/contracts/constants';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { orderCountsQuery, type OrderCounts, type OrderTarget } from './channel-order.calls.ts';
import css from './choose-lines.module.css';

const any = '-';
const macsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((mac) => mac !== '');
type Stock = Pick<OrderCounts['stock'][number], 'model' | 'order'>;
const keyOf = ({ model, order }: Stock): string => JSON.stringify([model, order]);
const stockOf = (key: string): Stock => {
  const [model, order] = JSON.parse(key) as [string, string];
  return { model, order };
};
const isMac = (text: string): boolean => /^[0-9a-f]{12}$/i.test(text.replaceAll(/[:-]/g, ''));

/**
 * Holds the lines of a step: those selected before, the first lines of a stock, or MACs that are typed. With `all`, the
 * whole stock is proposed.
 */
export function useLines(given: { target: OrderTarget; count: number } | undefined, { all = false } = {}) {
  const { t } = useText();
  const [by, setBy] = useState<'number' | 'mac'>('number');
  const [stock, setStock] = useState(any);
  const [typedNumber, setNumber] = useState<number | ''>();
  const [macs, setMacs] = useState('');
  const [wrong, setWrong] = useState<string>();
  const sums = useQuery({ ...orderCountsQuery(), enabled: given === undefined }).data;
  const known = sums?.stock ?? [];
  // Someone else may have taken the rest of the chosen stock meanwhile.
  const isGone = stock !== any && !known.some((s) => keyOf(s) === stock);
  const stocks = isGone ? [...known, { ...stockOf(stock), count: 0 }] : known;
  const free = stock === any ? (sums?.free ?? 0) : stocks.find((s) => keyOf(s) === stock)!.count;
  const number = typedNumber ?? (all && free > 0 ? Math.min(free, mostOrders) : '');
  const typed = macsOf(macs);
  const amount = given?.count ?? (by === 'number' ? Number(number) : typed.length);

  /** Shows what is missing. Returns whether the choice is complete. */
  const check = (): boolean => {
    const found = (): string | undefined => {
      if (given !== undefined) return undefined;
      if (by === 'number')
        return number === '' || number < 1 || number > mostOrders
          ? t('channelOrder.numberMissing', { most: count(mostOrders) })
          : undefined;
      if (typed.length === 0) return t('channelOrder.macsMissing');
      const bad = typed.find((mac) => !isMac(mac));
      return bad === undefined ? undefined : t('channelOrder.macWrong', { mac: bad });
    };
    const problem = found();
    setWrong(problem);
    return problem === undefined;
  };
  const target = (): OrderTarget => {
    if (given !== undefined) return given.target;
    if (by === 'mac') return { macs: typed };
    return { first: Number(number), ...(stock === any ? {} : stockOf(stock)) };
  };
  const change = <V,>(store: (value: V) => void) => {
    return (value: V) => {
      store(value);
      setWrong(undefined);
    };
  };
  const error = wrong === undefined ? undefined : <FieldError text={wrong} />;
  const fields =
    given !== undefined ? (
      <p className={css.given}>{t('channelOrder.chosen', { count: given.count, number: count(given.count) })}</p>
    ) : (
      <fieldset className={css.lines}>
        <legend>{t('channelOrder.which')}</legend>
        <SegmentedControl
          aria-label={t('channelOrder.which')}
          data={[
            { value: 'number', label: t('channelOrder.byNumber') },
            { value: 'mac', label: t('channelOrder.byMac') },
          ]}
          value={by}
          onChange={(value) => change(setBy)(value as 'number' | 'mac')}
        />
        {by === 'number' ? (
          <>
            <Select
              name="stock"
              label={t('channelOrder.stock')}
              data={[
                {
                  value: any,
                  label: t('channelOrder.stockFree', {
                    name: t('channelOrder.stockAny'),
                    number: count(sums?.free ?? 0),
                  }),
                },
                ...stocks.map((s) => ({
                  value: keyOf(s),
                  label: t('channelOrder.stockFree', {
                    name: s.order === '' ? s.model : `${s.model} · ${s.order}`,
                    number: count(s.count),
                  }),
                })),
              ]}
              value={stock}
              onChange={(value) => change(setStock)(value ?? any)}
              allowDeselect={false}
              searchable={stocks.length > 8}
              {...(sums?.free === 0 ? { description: t('channelOrder.noStock') } : {})}
            />
            <NumberInput
              name="number"
              label={t('channelOrder.number')}
              min={1}
              max={mostOrders}
              allowDecimal={false}
              allowNegative={false}
              value={number}
              onChange={(value) => change(setNumber)(value === '' ? '' : Number(value))}
              error={error}
            />
          </>
        ) : (
          <Textarea
            name="macs"
            label={t('channelOrder.macs')}
            description={t('channelOrder.macCount', { count: typed.length, number: count(typed.length) })}
            value={macs}
            onChange={(e) => change(setMacs)(e.currentTarget.value)}
            autosize
            minRows={6}
            maxRows={14}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            error={error}
          />
        )}
      </fieldset>
    );
  return { fields, check, target, amount };
}
