/** Returns the two tables of /alarm (NOTE-04). */
export const alarmTabs = (current: 'device' | 'message') => ({
  parameter: 'tableCheck',
  current,
  names: { device: 'alarm.devices', message: 'alarm.messages' } as const,
});

export const levels = ['high', 'medium', 'low'] as const;
export const readWord = (read: string) => (read === 'true' ? ('alarm.read' as const) : ('alarm.unread' as const));
