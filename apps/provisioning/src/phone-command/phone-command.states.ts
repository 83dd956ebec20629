/**
 * `new`: nobody has told the phone. `busy`: it makes a call, and is told when that ends. `telling`: a process sends it a
 * NOTIFY. `told`: it accepted the NOTIFY. `waiting`: it could not be told, and does the command when it asks the next
 * time. `loading`: it loads the file of the command. `installing`: it has loaded firmware. `done`: it did it, or it
 * failed.
 */
export type PhoneCommandState = 'new' | 'telling' | 'busy' | 'told' | 'waiting' | 'loading' | 'installing' | 'done';

/**
 * `claim`: a process begins to tell it. `hold`: it makes a call, which the command is not to cut. `accept`, `miss`: the
 * phone accepted the NOTIFY, or nobody answered. `fail`: nobody answered, and it does not wait. `load`, `install`: it
 * began to load the file, and has loaded it. `end`: the command failed for another reason.
 */
export type PhoneCommandEvent = 'claim' | 'hold' | 'accept' | 'miss' | 'fail' | 'load' | 'install' | 'succeed' | 'end';

type Next = Partial<Record<PhoneCommandEvent, PhoneCommandState>>;

/** A phone may do a command at any time, because it also asks by itself. */
const atAnyTime: Next = { load: 'loading', install: 'installing', succeed: 'done', end: 'done' };

/** All transitions. */
export const phoneCommandStates: Record<PhoneCommandState, Next> = {
  new: { claim: 'telling', ...atAnyTime },
  busy: { claim: 'telling', ...atAnyTime },
  telling: { claim: 'telling', hold: 'busy', accept: 'told', miss: 'waiting', fail: 'done', ...atAnyTime },
  told: atAnyTime,
  waiting: atAnyTime,
  loading: { install: 'installing', succeed: 'done', end: 'done' },
  installing: { succeed: 'done', end: 'done' },
  done: {},
};

/** Returns the states in which an event can happen. */
export const statesBefore = (event: PhoneCommandEvent): PhoneCommandState[] =>
  (Object.keys(phoneCommandStates) as PhoneCommandState[]).filter(
    (state) => phoneCommandStates[state][event] !== undefined,
  );

/** SQL: the states in which an event can happen, as the indexes have them. */
export const statesBeforeSql = (event: PhoneCommandEvent): string =>
  `(${statesBefore(event)
    .map((state) => `'${state}'`)
    .join(', ')})`;
