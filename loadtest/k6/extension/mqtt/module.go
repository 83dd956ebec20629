package mqtt

import (
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"
	"go.k6.io/k6/js/promises"
	"go.k6.io/k6/metrics"
)

func init() { modules.Register("k6/x/mqtt", module{}) }

type module struct{}

type instance struct {
	vu      modules.VU
	metrics *measures
}

// measures are the metrics that a script's thresholds can name.
type measures struct{ connect, subscribe, publish, sent, received, errors *metrics.Metric }

// NewModuleInstance is called by k6 for each VU.
func (module) NewModuleInstance(vu modules.VU) modules.Instance {
	registry := vu.InitEnv().Registry
	return &instance{vu: vu, metrics: &measures{
		connect: registry.MustNewMetric("mqtt_connect_duration", metrics.Trend, metrics.Time), subscribe: registry.MustNewMetric("mqtt_subscribe_duration", metrics.Trend, metrics.Time),
		publish: registry.MustNewMetric("mqtt_publish_duration", metrics.Trend, metrics.Time), sent: registry.MustNewMetric("mqtt_messages_sent", metrics.Counter),
		received: registry.MustNewMetric("mqtt_messages_received", metrics.Counter), errors: registry.MustNewMetric("mqtt_errors", metrics.Counter),
	}}
}

func (m *measures) push(vu modules.VU, metric *metrics.Metric, value float64) {
	state := vu.State()
	if state == nil {
		return
	}
	metrics.PushIfNotDone(vu.Context(), state.Samples, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: metric, Tags: state.Tags.GetCurrentValues().Tags}, Time: time.Now(), Value: value,
	})
}

func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"Client": i.newClient}}
}

func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	c := &client{vu: i.vu, metrics: i.metrics, options: export[clientOptions](rt, call.Argument(0)), handlers: map[string][]sobek.Callable{}, events: make(chan func() error, 256)}
	m := i.metrics
	for name, method := range map[string]any{
		"on": c.on, "connect": c.connect, "end": c.end,
		"publish": func(topic string, message, options sobek.Value) {
			c.now(m.publish, c.publishing(topic, message, options))
		},
		"publishAsync": func(topic string, message, options sobek.Value) *sobek.Promise {
			return c.async(m.publish, c.publishing(topic, message, options))
		},
		"subscribe": func(topics, options sobek.Value) { c.now(m.subscribe, c.subscribing(topics, options)) },
		"subscribeAsync": func(topics, options sobek.Value) *sobek.Promise {
			return c.async(m.subscribe, c.subscribing(topics, options))
		},
		"unsubscribe":      func(topics sobek.Value) { c.now(m.subscribe, c.unsubscribing(topics)) },
		"unsubscribeAsync": func(topics sobek.Value) *sobek.Promise { return c.async(m.subscribe, c.unsubscribing(topics)) },
		"connectAsync": func(url string, options sobek.Value) *sobek.Promise {
			return c.following("connect", func() { c.connect(url, options) })
		},
		"endAsync": func() *sobek.Promise { return c.following("end", c.end) },
	} {
		if err := call.This.Set(name, method); err != nil {
			common.Throw(rt, err)
		}
	}
	if err := call.This.DefineAccessorProperty("connected", rt.ToValue(func() bool { return c.connected }), nil, sobek.FLAG_FALSE, sobek.FLAG_TRUE); err != nil {
		common.Throw(rt, err)
	}
	return call.This
}

// following returns a promise of the next event of this kind; an earlier error rejects it.
func (c *client) following(event string, begin func()) *sobek.Promise {
	promise, resolve, reject := promises.New(c.vu)
	over := false
	settle := func(with func(any)) sobek.Callable {
		return func(_ sobek.Value, args ...sobek.Value) (sobek.Value, error) {
			if !over {
				over = true
				if len(args) > 0 {
					with(args[0])
				} else {
					with(sobek.Undefined())
				}
			}
			return sobek.Undefined(), nil
		}
	}
	c.on(event, settle(resolve))
	if event != "error" {
		c.on("error", settle(reject))
	}
	begin()
	return promise
}
