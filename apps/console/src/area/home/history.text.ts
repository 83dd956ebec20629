import { defineTexts } from '../../kit/text/define.ts';

export const historyTexts = defineTexts({
  'history.title': {
    en_US: 'Devices and lines over time',
    zh_CN: '设备与线路趋势',
    ko: '장치와 회선 추이',
    pt_BR: 'Dispositivos e linhas ao longo do tempo',
  },
  'history.range': { en_US: 'Range', zh_CN: '时间范围', ko: '기간', pt_BR: 'Período' },
  'history.24h': { en_US: '24 hours', zh_CN: '24 小时', ko: '24시간', pt_BR: '24 horas' },
  'history.7d': { en_US: '7 days', zh_CN: '7 天', ko: '7일', pt_BR: '7 dias' },
  'history.30d': { en_US: '30 days', zh_CN: '30 天', ko: '30일', pt_BR: '30 dias' },
  'history.allSites': { en_US: 'All sites', zh_CN: '所有站点', ko: '모든 사이트', pt_BR: 'Todos os locais' },
  'history.soon': {
    en_US: 'Devices are counted every 15 minutes. The chart appears after the second count.',
    zh_CN: '每 15 分钟统计一次设备。第二次统计后显示图表。',
    ko: '15분마다 장치를 집계합니다. 두 번째 집계부터 차트가 표시됩니다.',
    pt_BR: 'Os dispositivos são contados a cada 15 minutos. O gráfico aparece após a segunda contagem.',
  },
});
