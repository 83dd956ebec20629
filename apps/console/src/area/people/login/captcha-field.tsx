import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, Progress, TextInput } from '@mantine/core';
import { IconCircleCheckFilled, IconRefresh } from '@tabler/icons-react';
import { sha256 } from '@noble/hashes/sha2.js';
import type { getCaptcha, getCaptchaWork, RouteOutput } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { ask } from '../../../kit/api/ask.ts';
import css from './captcha-field.module.css';

export interface CaptchaAnswer {
  key: string;
  code: string;
}
type Work = RouteOutput<typeof getCaptchaWork>;

const text = new TextEncoder();
/** Computes for this many milliseconds at a time, so that the page stays responsive. */
const sliceMs = 12;

/** Finds the requested numbers without WebCrypto, which pages over plain http lack. */
async function compute(
  { challenge, rounds, bits }: Work,
  onProgress: (part: number) => void,
  gone: () => boolean,
): Promise<string> {
  const found: number[] = [];
  let n = 0;
  while (found.length < rounds) {
    const until = performance.now() + sliceMs;
    while (performance.now() < until && found.length < rounds) {
      const hash = sha256(text.encode(`${challenge}:${found.length}:${n}`));
      if (((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) >>> (32 - bits) === 0) {
        found.push(n);
        n = 0;
      } else n += 1;
    }
    if (gone()) return '';
    onProgress(found.length / rounds);
    await new Promise((r) => {
      setTimeout(r);
    });
  }
  return found.join('.');
}

/**
 * Shows the captcha's picture, and an alternative for users who cannot read it, which this device computes (AUTH-02).
 */
export default function CaptchaField({
  round,
  missing,
  onAnswer,
}: {
  /** Changes when the previous captcha was used. */ round: number;
  missing: boolean;
  onAnswer: (answer: CaptchaAnswer | undefined) => void;
}) {
  const { t } = useText();
  const [picture, setPicture] = useState<RouteOutput<typeof getCaptcha>>();
  const [code, setCode] = useState('');
  const [working, setWorking] = useState<number>();
  const [failed, setFailed] = useState(false);
  const [again, setAgain] = useState(0);
  /** The current captcha: computing for an earlier one stops. */
  const turn = useRef(0);

  const takeBackAnswer = useEffectEvent(() => onAnswer(undefined));
  useEffect(() => {
    const own = ++turn.current;
    setCode('');
    setWorking(undefined);
    setFailed(false);
    takeBackAnswer();
    const path: typeof getCaptcha.path = '/api/f/auth/oauth/captcha';
    ask<RouteOutput<typeof getCaptcha>>('GET', path).then(
      (p) => {
        if (own === turn.current) setPicture(p);
      },
      () => {
        if (own === turn.current) setFailed(true);
      },
    );
    return () => {
      turn.current += 1;
    };
  }, [round, again]);

  async function work() {
    const own = turn.current;
    setFailed(false);
    setWorking(0);
    try {
      const path: typeof getCaptchaWork.path = '/api/f/auth/oauth/captcha/work';
      const asked = await ask<Work>('GET', path);
      const done = await compute(asked, setWorking, () => own !== turn.current);
      if (done !== '') onAnswer({ key: asked.key, code: done });
    } catch {
      setWorking(undefined);
      setFailed(true);
    }
  }
  const done = working === 1;
  return (
    <fieldset className={css.field}>
      <legend className="hidden-text">{t('captcha.title')}</legend>
      {working === undefined ? (
        <>
          <div className={css.row}>
            <TextInput
              name="captcha"
              size="md"
              className={css.input}
              label={t('captcha.code')}
              value={code}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={8}
              onChange={(e) => {
                setCode(e.currentTarget.value);
                onAnswer(
                  picture && e.currentTarget.value.trim() !== ''
                    ? { key: picture.key, code: e.currentTarget.value.trim() }
                    : undefined,
                );
              }}
              error={missing && code.trim() === '' && <FieldError text={t('captcha.missing')} />}
            />
            <div className={css.picture}>
              {picture ? (
                <img src={picture.image} width={160} height={48} alt={t('captcha.picture')} />
              ) : (
                <span aria-busy={!failed} />
              )}
              <button
                type="button"
                className={css.other}
                title={t('captcha.another')}
                aria-label={t('captcha.another')}
                onClick={() => setAgain(again + 1)}
              >
                <IconRefresh size={16} stroke={1.75} aria-hidden />
              </button>
            </div>
          </div>
          <Button variant="subtle" size="compact-sm" className={css.way} onClick={() => void work()}>
            {t('captcha.compute')}
          </Button>
        </>
      ) : (
        <div className={css.working}>
          <p role="status" className={css.status}>
            {done && <IconCircleCheckFilled size={16} aria-hidden />}
            {t(done ? 'captcha.computed' : 'captcha.computing')}
          </p>
          {!done && <Progress value={working * 100} size="sm" aria-label={t('captcha.computing')} />}
        </div>
      )}
      {failed && (
        <p role="alert" className={css.failed}>
          <FieldError text={t('common.unreachable')} />
        </p>
      )}
    </fieldset>
  );
}
