/**
 * The zones that a user may choose (UTC-11), as a new installation has
 * them. Id 1 is the zone of users who never chose (SYS-08). `place` is a tz database place whose zone name
 * exists in every language.
 */
export interface ZoneSeed {
  id: number;
  offset: number;
  region: string;
  place: string;
}

const rows = [
  [2, -660, 'Midway, Niue, Pago Pago', 'Pacific/Pago_Pago'],
  [3, -600, 'Honolulu, Papeete', 'Pacific/Honolulu'],
  [4, -570, 'Marquesas Islands', 'Pacific/Marquesas'],
  [5, -540, 'Anchorage, Gambier', 'America/Anchorage'],
  [6, -480, 'Los Angeles, Vancouver, Tijuana', 'America/Los_Angeles'],
  [7, -420, 'Denver, Phoenix, Edmonton', 'America/Denver'],
  [8, -360, 'Chicago, Mexico City, San José', 'America/Chicago'],
  [9, -300, 'New York, Toronto, Havana', 'America/New_York'],
  [10, -300, 'Bogotá, Lima, Panama', 'America/Bogota'],
  [11, -240, 'Santiago, La Paz, Halifax, Manaus', 'America/Halifax'],
  [12, -210, 'St. John’s', 'America/St_Johns'],
  [13, -180, 'São Paulo, Buenos Aires, Montevideo', 'America/Sao_Paulo'],
  [14, -120, 'Fernando de Noronha, South Georgia', 'America/Noronha'],
  [15, -60, 'Azores, Cape Verde', 'Atlantic/Azores'],
  [1, 0, 'UTC', 'Etc/UTC'],
  [16, 0, 'London, Lisbon, Dublin, Accra', 'Europe/London'],
  [17, 60, 'Berlin, Paris, Madrid, Lagos', 'Europe/Berlin'],
  [18, 120, 'Athens, Helsinki, Cairo, Johannesburg', 'Europe/Athens'],
  [19, 180, 'Moscow, Istanbul, Riyadh, Nairobi', 'Europe/Moscow'],
  [20, 210, 'Tehran', 'Asia/Tehran'],
  [21, 240, 'Dubai, Baku, Tbilisi, Mauritius', 'Asia/Dubai'],
  [22, 270, 'Kabul', 'Asia/Kabul'],
  [23, 300, 'Karachi, Tashkent, Almaty, Yekaterinburg', 'Asia/Karachi'],
  [24, 330, 'Delhi, Mumbai, Colombo', 'Asia/Kolkata'],
  [25, 345, 'Kathmandu', 'Asia/Kathmandu'],
  [26, 360, 'Dhaka, Bishkek, Omsk', 'Asia/Dhaka'],
  [27, 390, 'Yangon, Cocos Islands', 'Asia/Yangon'],
  [28, 420, 'Bangkok, Jakarta, Hanoi', 'Asia/Bangkok'],
  [29, 480, 'Beijing, Hong Kong, Taipei', 'Asia/Shanghai'],
  [30, 480, 'Singapore, Manila, Perth', 'Asia/Singapore'],
  [31, 525, 'Eucla', 'Australia/Eucla'],
  [32, 540, 'Seoul, Tokyo, Yakutsk', 'Asia/Seoul'],
  [33, 570, 'Adelaide, Darwin', 'Australia/Adelaide'],
  [34, 600, 'Sydney, Melbourne, Canberra', 'Australia/Sydney'],
  [35, 600, 'Brisbane, Port Moresby, Guam', 'Australia/Brisbane'],
  [36, 630, 'Lord Howe Island', 'Australia/Lord_Howe'],
  [37, 660, 'Nouméa, Honiara, Magadan', 'Pacific/Noumea'],
  [38, 720, 'Auckland, Suva, Tarawa', 'Pacific/Auckland'],
  [39, 765, 'Chatham Islands', 'Pacific/Chatham'],
  [40, 780, 'Apia, Tongatapu', 'Pacific/Apia'],
  [41, 840, 'Kiritimati', 'Pacific/Kiritimati'],
] as const;

export const zoneSeeds: readonly ZoneSeed[] = rows.map(([id, offset, region, place]) => ({
  id,
  offset,
  region,
  place,
}));
export { defaultTimezoneId } from '../define/constant.ts';
