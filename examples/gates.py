"""The logic gates, and XOR four ways: the limit, a feature map, a kernel, layers."""

from sklearn.pipeline import make_pipeline

from novikoff import KernelPerceptron, MultilayerPerceptron, Perceptron, XorFeatures, datasets


def main():
    for name in ("and", "or", "not"):
        X, y = datasets.logic_gate(name)
        model = Perceptron(order="cyclic").fit(X, y)
        print(f"{name.upper()}: {model.status_}, w = {model.coef_[0].tolist()}, b = {model.intercept_[0]:g}")

    X, y = datasets.logic_gate("xor")
    model = Perceptron(order="cyclic").fit(X, y)
    print(f"XOR by a plane: {model.status_}; {model.certificate_.summary()}")
    ways = {
        "a feature map": make_pipeline(XorFeatures(), Perceptron()),
        "a kernel": KernelPerceptron("poly", gamma=1),
        "layers": MultilayerPerceptron((4,), "tanh", solver="lbfgs"),
    }
    for name, model in ways.items():
        print(f"XOR by {name}: score {model.fit(X, y).score(X, y):g}")


if __name__ == "__main__":
    main()
