/**
 * `new`: nobody has told the phone. `telling`: a process sends it a NOTIFY. `told`: it accepted the NOTIFY. `waiting`:
 * it could not be told, and does the command when it asks the next time. `done`: it did it, or it failed.
 */
export type PhoneCommandState = 'new' | 'telling' | 'told' | 'waiting' | 'done';

/** `claim`: a process begins to tell it. `accept`, `miss`: the phone accepted the NOTIFY, or nobody answered. */
export type PhoneCommandEvent = 'claim' | 'accept' | 'miss' | 'fail' | 'succeed';

/** All transitions. A phone may do a command at any time, because it also asks by itself. */
export const phoneCommandStates: Record<PhoneCommandState, Partial<Record<PhoneCommandEvent, PhoneCommandState>>> = {
  new: { claim: 'telling', succeed: 'done' },
  telling: { claim: 'telling', accept: 'told', miss: 'waiting', fail: 'done', succeed: 'done' },
  told: { succeed: 'done' },
  waiting: { succeed: 'done' },
  done: {},
};

/** Returns the states in which an event can happen. */
export const statesBefore = (event: PhoneCommandEvent): PhoneCommandState[] =>
  (Object.keys(phoneCommandStates) as PhoneCommandState[]).filter(
    (state) => phoneCommandStates[state][event] !== undefined,
  );
