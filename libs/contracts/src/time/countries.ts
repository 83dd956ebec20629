/**
 * Countries and regions of ISO 3166-1 (SHELL-19): the two-letter code, for which every
 * platform has a name; the number that a user record keeps as `countryId`; and the tz database place that represents
 * the country, with several zones that of the most people (from the database's `zone.tab`).
 */
export interface CountrySeed {
  code: string;
  countryId: number;
  place: string;
}

const rows = `
  AD20 Europe/Andorra, AE784 Asia/Dubai, AF4 Asia/Kabul, AG28 America/Antigua, AI660 America/Anguilla,
  AL8 Europe/Tirane, AM51 Asia/Yerevan, AO24 Africa/Luanda, AQ10 Antarctica/McMurdo,
  AR32 America/Argentina/Buenos_Aires, AS16 Pacific/Pago_Pago, AT40 Europe/Vienna, AU36 Australia/Sydney,
  AW533 America/Aruba, AX248 Europe/Mariehamn, AZ31 Asia/Baku, BA70 Europe/Sarajevo, BB52 America/Barbados,
  BD50 Asia/Dhaka, BE56 Europe/Brussels, BF854 Africa/Ouagadougou, BG100 Europe/Sofia, BH48 Asia/Bahrain,
  BI108 Africa/Bujumbura, BJ204 Africa/Porto-Novo, BL652 America/St_Barthelemy, BM60 Atlantic/Bermuda,
  BN96 Asia/Brunei, BO68 America/La_Paz, BQ535 America/Kralendijk, BR76 America/Sao_Paulo, BS44 America/Nassau,
  BT64 Asia/Thimphu, BV74 Europe/Oslo, BW72 Africa/Gaborone, BY112 Europe/Minsk, BZ84 America/Belize,
  CA124 America/Toronto, CC166 Indian/Cocos, CD180 Africa/Kinshasa, CF140 Africa/Bangui, CG178 Africa/Brazzaville,
  CH756 Europe/Zurich, CI384 Africa/Abidjan, CK184 Pacific/Rarotonga, CL152 America/Santiago, CM120 Africa/Douala,
  CN156 Asia/Shanghai, CO170 America/Bogota, CR188 America/Costa_Rica, CU192 America/Havana,
  CV132 Atlantic/Cape_Verde, CW531 America/Curacao, CX162 Indian/Christmas, CY196 Asia/Nicosia, CZ203 Europe/Prague,
  DE276 Europe/Berlin, DJ262 Africa/Djibouti, DK208 Europe/Copenhagen, DM212 America/Dominica,
  DO214 America/Santo_Domingo, DZ12 Africa/Algiers, EC218 America/Guayaquil, EE233 Europe/Tallinn, EG818 Africa/Cairo,
  EH732 Africa/El_Aaiun, ER232 Africa/Asmara, ES724 Europe/Madrid, ET231 Africa/Addis_Ababa, FI246 Europe/Helsinki,
  FJ242 Pacific/Fiji, FK238 Atlantic/Stanley, FM583 Pacific/Pohnpei, FO234 Atlantic/Faroe, FR250 Europe/Paris,
  GA266 Africa/Libreville, GB826 Europe/London, GD308 America/Grenada, GE268 Asia/Tbilisi, GF254 America/Cayenne,
  GG831 Europe/Guernsey, GH288 Africa/Accra, GI292 Europe/Gibraltar, GL304 America/Nuuk, GM270 Africa/Banjul,
  GN324 Africa/Conakry, GP312 America/Guadeloupe, GQ226 Africa/Malabo, GR300 Europe/Athens,
  GS239 Atlantic/South_Georgia, GT320 America/Guatemala, GU316 Pacific/Guam, GW624 Africa/Bissau,
  GY328 America/Guyana, HK344 Asia/Hong_Kong, HM334 Indian/Kerguelen, HN340 America/Tegucigalpa, HR191 Europe/Zagreb,
  HT332 America/Port-au-Prince, HU348 Europe/Budapest, ID360 Asia/Jakarta, IE372 Europe/Dublin, IL376 Asia/Jerusalem,
  IM833 Europe/Isle_of_Man, IN356 Asia/Kolkata, IO86 Indian/Chagos, IQ368 Asia/Baghdad, IR364 Asia/Tehran,
  IS352 Atlantic/Reykjavik, IT380 Europe/Rome, JE832 Europe/Jersey, JM388 America/Jamaica, JO400 Asia/Amman,
  JP392 Asia/Tokyo, KE404 Africa/Nairobi, KG417 Asia/Bishkek, KH116 Asia/Phnom_Penh, KI296 Pacific/Tarawa,
  KM174 Indian/Comoro, KN659 America/St_Kitts, KP408 Asia/Pyongyang, KR410 Asia/Seoul, KW414 Asia/Kuwait,
  KY136 America/Cayman, KZ398 Asia/Almaty, LA418 Asia/Vientiane, LB422 Asia/Beirut, LC662 America/St_Lucia,
  LI438 Europe/Vaduz, LK144 Asia/Colombo, LR430 Africa/Monrovia, LS426 Africa/Maseru, LT440 Europe/Vilnius,
  LU442 Europe/Luxembourg, LV428 Europe/Riga, LY434 Africa/Tripoli, MA504 Africa/Casablanca, MC492 Europe/Monaco,
  MD498 Europe/Chisinau, ME499 Europe/Podgorica, MF663 America/Marigot, MG450 Indian/Antananarivo,
  MH584 Pacific/Majuro, MK807 Europe/Skopje, ML466 Africa/Bamako, MM104 Asia/Yangon, MN496 Asia/Ulaanbaatar,
  MO446 Asia/Macau, MP580 Pacific/Saipan, MQ474 America/Martinique, MR478 Africa/Nouakchott, MS500 America/Montserrat,
  MT470 Europe/Malta, MU480 Indian/Mauritius, MV462 Indian/Maldives, MW454 Africa/Blantyre, MX484 America/Mexico_City,
  MY458 Asia/Kuala_Lumpur, MZ508 Africa/Maputo, NA516 Africa/Windhoek, NC540 Pacific/Noumea, NE562 Africa/Niamey,
  NF574 Pacific/Norfolk, NG566 Africa/Lagos, NI558 America/Managua, NL528 Europe/Amsterdam, NO578 Europe/Oslo,
  NP524 Asia/Kathmandu, NR520 Pacific/Nauru, NU570 Pacific/Niue, NZ554 Pacific/Auckland, OM512 Asia/Muscat,
  PA591 America/Panama, PE604 America/Lima, PF258 Pacific/Tahiti, PG598 Pacific/Port_Moresby, PH608 Asia/Manila,
  PK586 Asia/Karachi, PL616 Europe/Warsaw, PM666 America/Miquelon, PN612 Pacific/Pitcairn, PR630 America/Puerto_Rico,
  PS275 Asia/Hebron, PT620 Europe/Lisbon, PW585 Pacific/Palau, PY600 America/Asuncion, QA634 Asia/Qatar,
  RE638 Indian/Reunion, RO642 Europe/Bucharest, RS688 Europe/Belgrade, RU643 Europe/Moscow, RW646 Africa/Kigali,
  SA682 Asia/Riyadh, SB90 Pacific/Guadalcanal, SC690 Indian/Mahe, SD729 Africa/Khartoum, SE752 Europe/Stockholm,
  SG702 Asia/Singapore, SH654 Atlantic/St_Helena, SI705 Europe/Ljubljana, SJ744 Arctic/Longyearbyen,
  SK703 Europe/Bratislava, SL694 Africa/Freetown, SM674 Europe/San_Marino, SN686 Africa/Dakar, SO706 Africa/Mogadishu,
  SR740 America/Paramaribo, SS728 Africa/Juba, ST678 Africa/Sao_Tome, SV222 America/El_Salvador,
  SX534 America/Lower_Princes, SY760 Asia/Damascus, SZ748 Africa/Mbabane, TC796 America/Grand_Turk,
  TD148 Africa/Ndjamena, TF260 Indian/Kerguelen, TG768 Africa/Lome, TH764 Asia/Bangkok, TJ762 Asia/Dushanbe,
  TK772 Pacific/Fakaofo, TL626 Asia/Dili, TM795 Asia/Ashgabat, TN788 Africa/Tunis, TO776 Pacific/Tongatapu,
  TR792 Europe/Istanbul, TT780 America/Port_of_Spain, TV798 Pacific/Funafuti, TW158 Asia/Taipei,
  TZ834 Africa/Dar_es_Salaam, UA804 Europe/Kyiv, UG800 Africa/Kampala, UM581 Pacific/Wake, US840 America/New_York,
  UY858 America/Montevideo, UZ860 Asia/Tashkent, VA336 Europe/Vatican, VC670 America/St_Vincent,
  VE862 America/Caracas, VG92 America/Tortola, VI850 America/St_Thomas, VN704 Asia/Ho_Chi_Minh, VU548 Pacific/Efate,
  WF876 Pacific/Wallis, WS882 Pacific/Apia, YE887 Asia/Aden, YT175 Indian/Mayotte, ZA710 Africa/Johannesburg,
  ZM894 Africa/Lusaka, ZW716 Africa/Harare`;

export const countrySeeds: readonly CountrySeed[] = [...rows.matchAll(/([A-Z]{2})(\d{1,3}) ([\w/-]+)/g)].map(
  ([, code, id, place]) => ({ code: code!, countryId: Number(id), place: place! }),
);
/**
 * Country of users who never chose one (SYS-08): no country, no daylight
 * saving.
 */
export const noCountryId = 1;
